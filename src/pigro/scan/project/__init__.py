"""A scan in a project: settings, files to leave out, comments, baseline, changed lines, cache."""
