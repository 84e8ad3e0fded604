import Cryptography
import SMP
import TestSupport
import Testing

@Suite("Commands", .timeLimit(.minutes(5)))
struct CommandTests {
    @Test func `every command of the vectors is encoded for each version, read back, and encoded again alike`() throws {
        for vector in try Vectors.group("commands").items {
            let command = try Self.command(vector)
            #expect(command.tag.rawValue == (try vector.text("command")))
            for encoding in vector["encodings"].items {
                let bytes = try encoding.data("hex")
                for version in encoding["versions"].versions {
                    #expect(try command.encoded(version) == bytes)
                    let read = try Command(decoding: bytes, version: version)
                    #expect(try read.encoded(version) == bytes)
                    if version >= 17 { #expect(read == command) }
                }
            }
        }
    }

    /// The command a vector describes in its `args`.
    static func command(_ vector: VectorValue) throws -> Command {
        let args = vector["args"]
        switch try #require(CommandTag(rawValue: vector.text("command"))) {
        case .new: return .new(try queueRequest(args))
        case .subscribe: return .subscribe
        case .get: return .get
        case .acknowledge: return .acknowledge(MessageID(try args.data("msg_id")))
        case .setSenderKey: return .setSenderKey(try args.authenticationKey("sender_key"))
        case .setRecipientKeys:
            return .setRecipientKeys(
                try args["keys"].items.compactMap(\.bytes).map { try AuthenticationPublicKey(der: $0) })
        case .setLinkData: return .setLinkData(linkID: try args.entity("link_id"), try linkData(args))
        case .deleteLinkData: return .deleteLinkData
        case .setNotifier: return .setNotifier(try notifierKeys(args))
        case .deleteNotifier: return .deleteNotifier
        case .suspend: return .suspend
        case .delete: return .delete
        case .queueInfo: return .queueInfo
        case .secure: return .secure(try args.authenticationKey("sender_key"))
        case .send: return .send(notify: try args.flag("notification"), body: try args.data("body"))
        case .secureAndGetLink: return .secureAndGetLink(try args.authenticationKey("sender_key"))
        case .getLink: return .getLink
        case .subscribeNotifier: return .subscribeNotifier
        case .ping: return .ping
        case .openProxySession:
            return .openProxySession(try RelayAddress(parsing: args.text("relay")), password: try password(args))
        case .forwardToProxy:
            return .forwardToProxy(
                ProxiedCommand(
                    version: try args.version("version"), key: try args.agreementKey("key"),
                    sealed: try args.data("enc_transmission")))
        case .forwardToRelay: return .forwardToRelay(try args.data("enc_fwd_transmission"))
        case .subscribeService: return .subscribeService
        case .subscribeNotifierService: return .subscribeNotifierService
        }
    }

    private static func password(_ args: VectorValue) throws -> RelayPassword? {
        try args["basic_auth"].string.map { try RelayPassword(parsing: $0) }
    }

    private static func linkData(_ args: VectorValue) throws -> LinkData {
        LinkData(fixed: try args.data("enc_fixed_data"), user: try args.data("enc_user_data"))
    }

    private static func notifierKeys(_ args: VectorValue) throws -> NotifierKeys {
        NotifierKeys(
            authenticationKey: try args.authenticationKey("auth_key"), agreementKey: try args.agreementKey("dh_key"))
    }

    private static func queueRequest(_ args: VectorValue) throws -> QueueRequest {
        let hasData = !args["enc_fixed_data"].isNull
        let link: QueueRequest.Link? =
            switch args["queue_mode"].string {
            case "messaging":
                .messaging(hasData ? .init(senderID: try args.entity("sender_id"), data: try linkData(args)) : nil)
            case "contact":
                .contact(
                    hasData
                        ? .init(
                            linkID: try args.entity("link_id"), senderID: try args.entity("sender_id"),
                            data: try linkData(args)) : nil)
            default: nil
            }
        return QueueRequest(
            recipientKey: try args.authenticationKey("auth_key"), agreementKey: try args.agreementKey("dh_key"),
            password: try password(args), subscribes: try args.flag("subscribe"), link: link,
            notifier: args["ntf_creds"].isNull ? nil : try notifierKeys(args["ntf_creds"]))
    }

    @Test func `any command comes back in any version`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<3_000 {
            let version = random.version()
            let command = try random.command(version)
            #expect(try Command(decoding: command.encoded(version), version: version) == command)
        }
    }

    @Test(arguments: ["", " ", "XYZ", "sub", "SUBX", "NEW\n", "é", "SUB\0"])
    func `a word that is no command is unknown`(_ text: String) {
        #expect(throws: SMPDecodingError.unknownTag) { try Command(decoding: Array(text.utf8), version: 17) }
        #expect(SMPDecodingError.unknownTag.commandError == .command(.unknown))
    }

    @Test(arguments: [
        "SUB ", "SUB x", "PING\u{20}\u{20}", "NEW", "NEW ", "ACK", "ACK ", "KEY", "KEY \u{1}x", "SEND",
        "SEND ", "SEND T", "SEND X body", "LSET ", "RKEY \0", "PFWD \0", "RFWD", "PRXY ", "SKEY ,short",
    ])
    func `a known command with missing, wrong or trailing parameters is a syntax error`(_ text: String) throws {
        do {
            _ = try Command(decoding: Array(text.utf8), version: 17)
            Issue.record("\(text) was read")
        } catch let error as SMPDecodingError {
            #expect(error.commandError == .command(.syntax))
        }
    }

    @Test func `a command that ends early or goes on too long is a syntax error, at every length`() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<60 {
            let command = try random.command(17)
            let bytes = try command.encoded(17)
            switch command {
            case .send, .forwardToProxy, .forwardToRelay: continue  // These end with whatever there is.
            default: break
            }
            #expect(throws: SMPDecodingError.self) { try Command(decoding: bytes + [0], version: 17) }
            // SUBS and NSUBS begin with the words of other commands.
            if [.subscribeService, .subscribeNotifierService].contains(command) { continue }
            for count in bytes.indices {
                #expect(throws: SMPDecodingError.self) {
                    try Command(decoding: Array(bytes.prefix(count)), version: 17)
                }
            }
        }
    }

    @Test func `flags of later versions are ignored up to the next space`() throws {
        let command = try Command(decoding: Array("SEND Txyz hello".utf8), version: 17)
        #expect(command == .send(notify: true, body: Array("hello".utf8)))
    }

    @Test func `an Ed25519 key where NEW has the key for agreement is refused`() throws {
        let key = try ByteWriter.build { try $0.key(.ed25519(Ed25519.PrivateKey().publicKey)) }
        #expect(throws: SMPDecodingError.invalid("X25519 key")) {
            try Command(decoding: Array("NEW ".utf8) + key + key + Array("0ST".utf8), version: 9)
        }
    }

    @Test func `versions 9 to 14 read the mode from the flag`() throws {
        var random = SeededGenerator(seed: 914)
        var request = try random.queueRequest(9)
        request.link = nil
        let read = try Command(decoding: Command.new(request).encoded(9), version: 9)
        request.link = .contact(nil)
        #expect(read == .new(request))
    }
}
