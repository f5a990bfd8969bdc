package regular

// Contents is contents, for what is another once it has been opened.
var Contents = contents
