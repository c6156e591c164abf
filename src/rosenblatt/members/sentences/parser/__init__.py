"""The dependency parser: parameters, templates, state, learn, model, record, estimator, files, scores, pictures."""
