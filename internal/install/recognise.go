package install

// Recognise returns an entry with Ours and Program set, if its command is
// permctl's hook and nothing else. It is for entries of files that [Entries]
// does not read.
func Recognise(e Entry) Entry {
	e.recognise()
	return e
}
