import ArgumentParser
import Parley
import Wording

/// `parley-cli doctor`: looks at all that calls need.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check all that calls need, a line each, and say what to do.",
        discussion: """
            Relays and servers are those that are named, else those the profile remembers, which must not be open in \
            another program. The exit status is 0 when there is no problem; warnings are none.
            """)

    @Option(name: .customLong("profile"), help: ArgumentHelp("Folder that holds the account.", valueName: "DIR"))
    var directory: String?

    @Option(
        name: .customLong("relay"),
        help: ArgumentHelp(
            "Relay to try, may be given several times.", valueName: "smp://FINGERPRINT@HOST:PORT"))
    var relays: [String] = []

    @Option(
        name: .customLong("call-servers"),
        help: ArgumentHelp("File with the STUN and TURN servers to try, one a line.", valueName: "FILE"))
    var serverFile: String?

    @OptionGroup var callServer: GroupServerPlace

    @Option(
        name: .customLong("passphrase-file"),
        help: ArgumentHelp("File whose first line is the profile's passphrase.", valueName: "FILE"))
    var passphraseFile: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let passphraseFile { try PassphraseFile.check(passphraseFile) }
        _ = try servers()
    }

    private func servers() throws -> CallServerOptions {
        var options = CallServerOptions()
        (options.file, options.relayOnly) = (serverFile, nil)
        try options.validate()
        return options
    }

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        var doctor = Doctor()
        (doctor.relays, doctor.servers.servers) = (relays, try servers().servers() ?? [])
        doctor.callServer = try callServer.server()
        let (asksRelays, asksServers) = (relays.isEmpty, serverFile == nil)
        let passphrases: any PassphraseSource = passphraseFile.map(PassphraseFile.init) ?? Terminal()
        try await Session.untilInterrupted(printer) { [doctor, directory] in
            var doctor = doctor
            if let directory, asksRelays || asksServers || doctor.callServer == nil {
                let places = try await ProfilePlaces(of: directory, passphrases: passphrases)
                doctor.settings = places.settings
                if asksRelays { doctor.relays = places.relays }
                let named = doctor.servers.servers
                doctor.servers = places.servers
                if !asksServers { doctor.servers.servers = named }
                doctor.callServer = doctor.callServer ?? places.callServer
            }
            var counts: [Finding.Verdict: Int] = [:]
            for await finding in doctor.findings() {
                counts[finding.verdict, default: 0] += 1
                printer.finding(finding)
            }
            try Task.checkCancellation()
            let (problems, warnings) = (counts[.problem] ?? 0, counts[.warning] ?? 0)
            printer.last(
                "doctor", ["problems": .number(problems), "warnings": .number(warnings)],
                sentence: problems == 0
                    ? .tr("No problems, %s warnings.", warnings)
                    : .tr("%1$s problems, %2$s warnings.", problems, warnings))
            if problems > 0 { throw ExitCode.failure }
        }
    }
}

extension EventPrinter {
    /// A line of the doctor's.
    fileprivate func finding(_ finding: Finding) {
        var fields: Fields = [
            "check": .string(finding.check.rawValue), "state": .string(finding.verdict.rawValue),
            "message": .string(finding.sentence),
        ]
        fields["subject"] = finding.subject.map { .string($0) }
        fields["advice"] = finding.advice.map { .string($0) }
        let name = [finding.check.rawValue, finding.subject].compactMap { $0 }.joined(separator: " ")
        let advice = finding.advice.map { " \($0)" } ?? ""
        event("check", fields, sentence: "[\(finding.verdict.rawValue)] \(name): \(finding.sentence)\(advice)")
    }
}
