import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(5))) struct StoreEvidenceTests {
    private static let files: [StoreFiles] = [.untouched, .cut, .touched]

    private func verdict(_ note: StoreEvidence.Note, _ files: StoreFiles, closed: Bool) -> StoreEvidence.Verdict {
        StoreEvidence(files: files, wasClosed: closed).verdict(note)
    }

    @Test(arguments: files, [true, false])
    func `a foreign note always shows a copy and so does what cannot be asked`(files: StoreFiles, closed: Bool) {
        #expect(verdict(.foreign, files, closed: closed) == .all)
        #expect(verdict(.unknown, files, closed: closed) == .all)
    }

    @Test(arguments: files) func `a profile that was closed may be moved to another machine`(files: StoreFiles) {
        #expect(verdict(.own(7), files, closed: true) == .none)
    }

    @Test func `a process that died goes on`() {
        #expect(verdict(.own(7), .untouched, closed: false) == .none)
    }

    @Test func `after a power cut only what has changed since the note is renewed`() {
        #expect(verdict(.own(7), .cut, closed: false) == .changed(since: 7))
    }

    @Test func `a copy of a running profile is renewed altogether`() {
        #expect(verdict(.own(7), .touched, closed: false) == .all)
    }

    @Test(arguments: [StoreEvidence.Note.none, .lost], [true, false])
    func `without a note the files decide`(note: StoreEvidence.Note, closed: Bool) {
        #expect(verdict(note, .untouched, closed: closed) == .none)
        #expect(verdict(note, .cut, closed: closed) == .all)
        #expect(verdict(note, .touched, closed: closed) == .all)
    }
}
