import Media
import MediaRules

extension MediaError: Worded {
    public var sentence: String {
        switch self {
        case .description(let error): error.sentence
        case .missingElements(let missing): missing.sentence(for: .ofThisMachine)
        case .missingElement(let name): Self.sentence(missing: name)
        case .startFailed(let message): tr("The media system could not be started: %s.", message)
        case .pipeline(let message): tr("The call's media stopped: %s.", message)
        case .negotiation(let fault): tr("The call's media could not be agreed on (%s).", fault.words)
        case .unreachable: tr("No network path to the other side was found.")
        case .relay(let error): error.sentence
        case .closed: tr("The call's media is closed.")
        case .device(let fault): fault.sentence
        case .soundFile(.file(let path), let detail?): tr("The sound “%1$s” can't be played: %2$s.", path, detail)
        case .soundFile(.file(let path), nil): tr("The sound “%s” can't be played.", path)
        case .soundFile(.resource, _): tr("The sounds of calls can't be played.")
        }
    }

    private static func sentence(missing name: String) -> String {
        let known = MissingElements(NeededElement.all.filter { $0.name == name })
        return tr(
            "The GStreamer element “%1$s” is missing: %2$s.", name,
            known?.advice(for: .ofThisMachine) ?? tr("install its plugin"))
    }
}

extension NegotiationFault {
    fileprivate var words: String {
        switch self {
        case .underWay: tr("it is under way already")
        case .unexpectedOffer: tr("an offer that is not expected")
        case .unexpectedAnswer: tr("an answer that is not expected")
        case .pathExists: tr("there is a path already")
        case .mediaLine(let index): tr("media line %s can't be added", index)
        case .notMade(.offer, let words?): tr("the offer could not be made: %s", words)
        case .notMade(.answer, let words?): tr("the answer could not be made: %s", words)
        case .notMade(.offer, nil): tr("the offer could not be made")
        case .notMade(.answer, nil): tr("the answer could not be made")
        case .unreadable: tr("the other side's description can't be read")
        case .notSet(.local, let words): tr("the own description was refused: %s", words)
        case .notSet(.remote, let words): tr("the other side's description was refused: %s", words)
        case .noChannel: tr("no encrypted channel in time")
        case .channelFailed: tr("the encrypted channel failed")
        }
    }
}

extension DescriptionError: Worded {
    public var sentence: String {
        switch self {
        case .missingFingerprint, .unsupportedFingerprint, .malformedFingerprint, .conflictingFingerprints,
            .notEncrypted:
            tr(
                "The call was refused: the other side did not offer an encrypted channel that can be checked (%s).",
                detail)
        default:
            tr("The other side's description of the call cannot be used (%s).", detail)
        }
    }

    private var detail: String {
        switch self {
        case .tooLarge: tr("too large")
        case .malformedLine(let number): tr("line %s is malformed", number)
        case .notASessionDescription: tr("not a session description")
        case .mediaCount(let count): tr("%s media lines", count)
        case .mediaKind(let index): tr("media line %s is of the wrong kind", index)
        case .notEncrypted(let index): tr("media line %s is not encrypted", index)
        case .missingMid(let index): tr("media line %s has no name", index)
        case .duplicateMid(let mid): tr("two media lines are named %s", mid)
        case .midsDiffer: tr("its media lines are not those offered")
        case .notBundled: tr("its media lines are not bundled")
        case .missingICECredentials(let index): tr("media line %s has no ICE credentials", index)
        case .missingFingerprint: tr("no fingerprint")
        case .unsupportedFingerprint: tr("no SHA-256 fingerprint")
        case .malformedFingerprint: tr("malformed fingerprint")
        case .conflictingFingerprints: tr("several fingerprints")
        case .setupRole: tr("unusable setup role")
        case .missingCodec(let codec): tr("no %s", codec)
        case .tooManySources(let index): tr("media line %s has too many sources", index)
        }
    }
}

extension RelayServerError: Worded {
    public var sentence: String {
        switch self {
        case .unknownHost(let host): tr("The relay server %s is unknown: check its name.", host)
        case .unreachable(let place, let reason): tr("The relay server %1$s can't be reached: %2$s.", place, reason)
        case .certificate(let place, let reason):
            tr("The relay server %1$s was not used: its certificate is not to be trusted (%2$s).", place, reason)
        case .handshake(let place, let reason):
            tr("The relay server %1$s was not used: no secure connection could be made (%2$s).", place, reason)
        case .authorities(let path): tr("The file with certificate authorities %s can't be used.", path)
        case .local(let reason): tr("The way to the relay server could not be prepared on this computer: %s.", reason)
        case .noCandidates(let places):
            tr(
                "No relay server gave an address for the call (%s): check address, user name and password.",
                places.joined(separator: ", "))
        case .noneConfigured: tr("Calls are to go only through a relay server, and none is set up: add a TURN server.")
        }
    }
}

extension ICEServerError: Worded {
    public var sentence: String {
        switch self {
        case .scheme: tr("The address of a server for calls begins with stun:, turn: or turns:.")
        case .notThatForm:
            tr("Write the server's address without // and without a user name, such as turn:example.org:3478.")
        case .host: tr("The server's address has no usable host; an IPv6 address stands in brackets.")
        case .port: tr("The server's port has to be a number from 1 to 65535.")
        case .transport: tr("After the server's address only ?transport=udp or ?transport=tcp may follow.")
        case .datagramTLS: tr("A turns: server is reached over TCP; leave ?transport=udp away.")
        case .credentials: tr("A TURN server needs a user name and a password, or a shared secret.")
        case .secret: tr("The server's shared secret can't be used: it is empty or too long.")
        }
    }
}

extension ServerTest.Answer: Worded {
    public var sentence: String {
        switch (seen, relayed) {
        case (let seen?, let relayed?):
            tr("It sees this machine at %1$s and relays at %2$s (%3$s ms).", seen, relayed, milliseconds)
        case (let seen?, nil): tr("It sees this machine at %1$s (%2$s ms).", seen, milliseconds)
        case (nil, let relayed?):
            tr("It tells no address of this machine and relays at %1$s (%2$s ms).", relayed, milliseconds)
        case (nil, nil): tr("It tells no address of this machine (%s ms).", milliseconds)
        }
    }
}

extension ServerTestError: Worded {
    public var sentence: String {
        switch self {
        case .server(let error): error.sentence
        case .way(let error): error.sentence
        case .silent(let place): tr("The server %s does not answer: check address, port and firewall.", place)
        case .loginRefused(let place): tr("The server %s refuses the user name or password: check them.", place)
        case .refused(let place, let code, let reason):
            reason.isEmpty
                ? tr("The server %1$s refuses to work (error %2$s).", place, code)
                : tr("The server %1$s refuses to work (error %2$s, “%3$s”).", place, code, reason)
        case .malformed(let place): tr("The answer of %s can't be understood: it may be no STUN or TURN server.", place)
        }
    }
}
