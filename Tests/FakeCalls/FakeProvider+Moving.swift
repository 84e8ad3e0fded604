import DesktopApplication

// A pretended way to another machine; the passphrase of the file is “correct horse”.
extension FakeProvider {
    func moveProfile(
        to path: String, passphrase: String, tell: @escaping @MainActor (Double) -> Void
    ) async throws {
        guard !path.contains("exists") else {
            throw Refusal("There is a file \(path) already; choose another name.")
        }
        try await work(tell)
        contacts = []
        relays = []
        channel.yield(.moved(file: path))
    }

    func bringProfile(
        from path: String, passphrase: String, tell: @escaping @MainActor (Double) -> Void
    ) async throws {
        try await work(tell)
        guard passphrase == "correct horse" else { throw Refusal("The passphrase is wrong.") }
        begin(as: nil)
    }

    private func work(_ tell: @escaping @MainActor (Double) -> Void) async throws {
        for step in 1...10 {
            try await Task.sleep(for: pause)
            tell(Double(step) / 10)
        }
    }
}
