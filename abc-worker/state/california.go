package state

// California reads the Department of Alcoholic Beverage Control.
func California(d Deps) Recipe { return Recipe{} }
