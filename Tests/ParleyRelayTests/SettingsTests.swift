import Foundation
import Relay
import RelayRules
import SMP
import TestSupport
import Testing

@testable import ParleyRelay
@testable import RelaySettings

/// The configuration file and what the command line makes of it.
@Suite(.timeLimit(.minutes(5))) struct SettingsTests {
    private let everything = """
        listen = ["0.0.0.0:5223", "[::]:5223"]
        host = "relay.example"
        certificates = "/etc/parley/certificates"
        state = "/var/lib/parley"
        versions = "9-14"
        create-password = "/etc/parley/password"
        no-create = true
        quota = 64
        message-ttl = 3600
        expiry-interval = 60
        idle-timeout = 600
        max-connections = 1000
        max-connections-per-address = 10
        memory = 512
        max-stored = 2048
        max-stored-per-address = 256
        max-queues-per-address = 99
        proxy = true
        proxy-local = true
        stun = 3478
        metrics = "127.0.0.1:9223"
        log-level = "debug"
        """

    private func parse(_ text: String) throws -> Settings { try SettingsFile.parse(text, file: "f") }

    private func arguments(_ list: String...) throws -> Settings { try Arguments.parse(list).settings }

    @Test func `every setting has the name of its option`() throws {
        let fromFile = try parse(everything)
        let fromLine = try arguments(
            "--listen", "0.0.0.0:5223", "--listen", "[::]:5223", "--host", "relay.example", "--certificates",
            "/etc/parley/certificates", "--state", "/var/lib/parley", "--versions", "9-14", "--create-password",
            "/etc/parley/password", "--no-create", "--quota", "64", "--message-ttl", "3600", "--expiry-interval", "60",
            "--idle-timeout", "600", "--max-connections", "1000", "--max-connections-per-address", "10", "--memory",
            "512", "--max-stored", "2048", "--max-stored-per-address", "256", "--max-queues-per-address", "99",
            "--proxy", "--proxy-local", "--stun", "3478", "--metrics", "127.0.0.1:9223", "--log-level", "debug")
        #expect(fromFile == fromLine)
        #expect(try parse("in-memory = true") == arguments("--in-memory"))
    }

    @Test func `settings reach the relay`() throws {
        let configuration = try parse(everything).configuration(password: nil)
        #expect(configuration.host == "0.0.0.0")
        #expect(configuration.port == 5223)
        #expect(configuration.furtherEndpoints == [RelayEndpoint(host: "::", port: 5223)])
        #expect(configuration.announcedHost == "relay.example")
        #expect(configuration.certificatesDirectory == "/etc/parley/certificates")
        #expect(configuration.stateDirectory == "/var/lib/parley")
        #expect(configuration.storage == .disk)
        #expect(configuration.versions == SMPVersionRange(9...14))
        #expect(!configuration.creation.isAllowed)
        #expect(configuration.quota == 64)
        #expect(configuration.messageLifetime == .seconds(3_600))
        #expect(configuration.expiryInterval == .seconds(60))
        #expect(configuration.idleTimeout == .seconds(600))
        #expect(configuration.limits.total == 1_000)
        #expect(configuration.limits.perAddress == 10)
        #expect(configuration.storeLimits.queues == (256 << 20) / StoreLimits.queueBytes)
        #expect(configuration.storeLimits.storedBytes == 2_048 << 20)
        #expect(configuration.storeLimits.storedBytesPerAddress == 256 << 20)
        #expect(configuration.storeLimits.queuesPerAddress == 99)
        #expect(configuration.outputLimits.total == 64 << 20)
        #expect(configuration.proxy?.reachesLocalNetworks == true)
        #expect(configuration.metrics == RelayEndpoint(host: "127.0.0.1", port: 9_223))
        #expect(configuration.addressAnswers == .on(port: 3_478, required: true))
    }

    @Test func `what is not said has its default`() throws {
        let configuration = try arguments("--state", "s").configuration(password: nil)
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 5223)
        #expect(configuration.quota == 128)
        #expect(configuration.messageLifetime == .seconds(21 * 86_400))
        #expect(configuration.idleTimeout == .seconds(6 * 3_600))
        #expect(configuration.versions == SMPVersionRange(9...17))
        #expect(configuration.creation == QueueCreation())
        #expect(configuration.certificatesDirectory == "s")
        #expect(configuration.metrics == nil)
        #expect(configuration.proxy == nil)
        #expect(configuration.addressAnswers == .on(port: nil, required: false))
    }

    @Test func `addresses are told nowhere, or at a port, by text or number`() throws {
        #expect(try parse("stun = \"off\"").stun == .off)
        #expect(try parse("stun = \"3478\"").stun == .port(3_478))
        #expect(try arguments("--stun", "off", "--state", "s").configuration(password: nil).addressAnswers == .off)
        for text in ["stun = 70000", "stun = \"on\"", "stun = -1"] {
            #expect(throws: SettingsError.wrongValue(file: "f", "stun", wanted: "a port or \"off\"")) {
                try parse(text)
            }
        }
        #expect(throws: SettingsError.self) { try parse("stun = true") }
    }

    @Test func `the command line wins`() throws {
        let file = try parse(everything)
        let merged = try arguments("--quota", "7", "--create", "--no-proxy", "--listen", "127.0.0.1:1").over(file)
        #expect(merged.quota == 7)
        #expect(merged.allowsCreation == true)
        #expect(merged.proxy == false)
        #expect(merged.listen == [ListenAddress(host: "127.0.0.1", port: 1)])
        #expect(merged.messageTTL == 3_600)
    }

    @Test func `queues in memory leave the certificates where they are`() throws {
        let file = try parse("state = \"/var/lib/parley\"")
        let memory = try arguments("--in-memory").over(file).configuration(password: nil)
        #expect(memory.storage == .memory)
        #expect(memory.certificatesDirectory == "/var/lib/parley")
        let elsewhere = try arguments("--state", "/other").over(file).configuration(password: nil)
        #expect(elsewhere.certificatesDirectory == "/other")
    }

    @Test(
        arguments: [
            ("quota = \"many\"", "The file f must give quota as a whole number, not as a string."),
            ("quota = 1.5", "The file f must give quota as a whole number, not as a fraction."),
            ("listen = 5223", "The file f must give listen as a string or an array of strings, not as a whole number."),
            ("listen = [1]", "The file f must give listen as an array of strings, not as a whole number."),
            (
                "listen = \"localhost\"",
                "The file f must give listen as an address with a port, such as \"[::]:5223\"."
            ),
            ("listen = []", "In the file f: There must be at least one address to listen on."),
            ("no-create = \"yes\"", "The file f must give no-create as true or false, not as a string."),
            ("state = [\"a\"]", "The file f must give state as a string, not as an array."),
            ("state = 2020-01-01", "The file f must give state as a string, not as a date."),
            ("versions = \"6-17\"", "The file f must give versions as a range within \"9-17\"."),
            (
                "log-level = \"loud\"",
                "The file f must give log-level as one of trace, debug, info, notice, warning, error."
            ),
            ("quotta = 1", "The file f has a setting that does not exist: quotta."),
            ("[relay]\nquota = 1", "The file f is wrong at line 1: expected a name, = and a value."),
            ("a.b = 1", "The file f is wrong at line 1: expected a name, = and a value."),
            ("\nhost = { }", "The file f is wrong at line 2: expected one value."),
            ("host = \"a\u{0}\"", "The file f is wrong at line 1: it holds a control character."),
            ("listen = [\n\"a\"", "The file f is wrong at line 2: an array has no end."),
            ("host = \"a", "The file f is wrong at line 1: a string has no end."),
            ("quota = 0", "In the file f: quota must be a number from 1 to 1000000."),
            ("message-ttl = -1", "In the file f: message-ttl must be a number from 1 to 3153600000."),
            (
                "state = \"a\"\nin-memory = true",
                "In the file f: Queues are kept either in a folder (state) or in memory (in-memory), not both."
            ),
        ])
    func `a fault of the file is one clear sentence`(text: String, sentence: String) throws {
        let error = #expect(throws: SettingsError.self) { try parse(text) }
        #expect(error?.description == sentence)
    }

    @Test(arguments: ["quota =", "quota = 1 2", "= 1", "quota = 1\nquota = 2", "\"\"\"", "\u{0}"])
    func `what is no TOML is named with its line`(text: String) throws {
        let error = #expect(throws: SettingsError.self) { try parse("host = \"h\"\n" + text) }
        #expect(error?.description.contains("is wrong at line ") == true)
    }

    @Test(arguments: [
        "state = 2020-01-01T:0:00000Z", "state = 2020-01-01T", "quota = [1, 12:00:00]", "quota = 1:2", "host = a",
        "quota = 1-",
    ])
    func `a word that is no value does not reach the library`(text: String) throws {
        let error = #expect(throws: SettingsError.self) { try parse(text) }
        #expect(
            error?.description
                == "The file f is wrong at line 1: expected a text in quotes, a number, true or false.")
    }

    @Test func `arrays may go over lines and strings hold anything`() throws {
        let settings = try parse("listen = [ # both\n  \"0.0.0.0:1\",\n\t'[::]:1', ]\nhost = \"a=#[{\\\"b\" # end\n\n")
        #expect(settings.listen?.count == 2)
        #expect(settings.host == "a=#[{\"b")
    }

    @Test func `random texts are errors or settings`() throws {
        var generator = SeededGenerator(seed: 7)
        let words =
            everything.split { " \n".contains($0) }.map(String.init) + ["\n", "=", "[", "]", "\"", "#", "\u{1}"]
        for _ in 0..<3_000 {
            let text = (0..<12).map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: " ")
            do { _ = try parse(text) } catch { #expect(error is SettingsError) }
        }
    }

    @Test func `a missing file matters only if it is named`() throws {
        #expect(throws: SettingsError.unreadable("/nonexistent/f", "No such file or directory")) {
            try SettingsFile.read("/nonexistent/f")
        }
    }

    @Test(arguments: [
        ("0123456789abcdef\n", "0123456789abcdef"), ("0123456789abcdef", "0123456789abcdef"), ("", nil),
        ("two words of length\n", nil), ("a\nb\n", nil),
    ])
    func `a password file holds one password`(content: String, password: String?) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("password")
        try content.write(toFile: file, atomically: true, encoding: .utf8)
        if let password {
            #expect(try SettingsFile.password(in: file).text == password)
        } else {
            #expect(throws: SettingsError.badPassword(file)) { try SettingsFile.password(in: file) }
        }
    }

    @Test func `a short password is refused`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("password")
        try "0123456789abcde\n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(throws: SettingsError.shortPassword(file, 16)) { try SettingsFile.password(in: file) }
    }

    private func settings(_ queues: Settings.Queues) -> Settings {
        var settings = Settings()
        settings.queues = queues
        return settings
    }

    @Test func `nowhere for queues or certificates is said`() throws {
        #expect(throws: SettingsError.noQueues) { try Settings().configuration(password: nil) }
        #expect(throws: SettingsError.noCertificates) {
            try settings(.memory).configuration(password: nil)
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>) func `a file of any content is read or names its fault`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        let whole = Array(everything.unicodeScalars)
        let words = [
            "=", "[", "]", "\"", "'''", "#", "\n", "-", "1e999", "99999999999999999999", "{", "inf", "0x", "\u{0}", "é",
            "1979-05-27",
        ]
        var (read, refused) = (0, 0)
        for _ in 0..<300 {
            var text = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0...text.count, using: &random)
                let count = Int.random(in: 1...20, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: text.removeSubrange(place..<min(text.count, place + count))
                case 1: text.insert(contentsOf: text.prefix(count * 20), at: place)
                // A digit more in a number, or a letter in a text, leaves the file readable.
                case 2: text.insert(["0", "a", " "][count % 3], at: place)
                default: text.insert(contentsOf: words[count % words.count].unicodeScalars, at: place)
                }
            }
            var string = String.UnicodeScalarView()
            string.append(contentsOf: text)
            do {
                let settings = try parse(String(string))
                try settings.check()
                _ = try settings.configuration(password: nil)
                read += 1
            } catch let error as SettingsError {
                #expect(!error.description.isEmpty)
                refused += 1
            }
        }
        #expect(read > 0 && refused > 0)
    }
}
