"""What files of models are made of: a record, which is JSON, and tensors, sealed together."""
