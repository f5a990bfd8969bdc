package foreign

func claudeSamples(s *claudeSetting) []Sample { return nil }
