import Agent
import BaseKit
import CallControl
import Calling
import Keyring
import Media
import MediaRules
import Parley
import Portal
import Relay
import SMPSession
import Signaling
import Testing

@testable import Wording

/// Each error that a person can meet is one sentence, and no two of a kind are the same.
@Suite(.timeLimit(.minutes(5))) struct ErrorWordingTests {
    private func areSentences(_ errors: [any Worded]) -> Bool {
        let sentences = errors.map(\.sentence)
        return Set(sentences).count == sentences.count
            && sentences.allSatisfy { $0.hasSuffix(".") && $0.first?.isLowercase == false }
    }

    @Test func `end reasons are sentences, each its own`() {
        #expect(areSentences(CallEndReason.allCases))
        for reason in CallEndReason.allCases { #expect(reason.sentence.filter { $0 == "." }.count == 1) }
    }

    @Test func `what the running Parley answers is told in sentences`() {
        let errors: [ServiceError] = [
            .notRunning, .notInstalled, .startFailed("m."), .stillRunning, .ended, .unexpectedAnswer("d"),
            .bus(.noBus("b")),
        ]
        #expect(areSentences(errors + CallRefusal.allCases.map { .refused($0) }))
        #expect(areSentences(Reachability.allCases))
    }

    @Test func `errors of relays are sentences`() {
        let errors: [TransportError] = [
            .hostUnreachable(host: "h", reason: "r"), .timeout(.connect), .timeout(.tls), .timeout(.hello),
            .wrongFingerprint, .badCertificate(.chainLength(1)), .badCertificate(.malformed),
            .badCertificate(.leafVersion), .badCertificate(.validityDates), .badCertificate(.path("p")), .tls("t"),
            .noApplicationProtocol, .hello(.malformed), .hello(.sessionIdentifier), .hello(.certificateChain),
            .hello(.signature), .hello(.missingKey), .hello(.keyHash), .hello(.unsupportedService), .version, .block,
            .protocolViolation(.unacknowledgedMessage), .protocolViolation(.unsolicitedEvents), .closedByPeer, .closed,
            .socket("s"), .silent, .noReachableHost, .cannotListen("l"),
            .credentials(.missing(file: "f")), .credentials(.noCertificate(file: "f")),
            .credentials(.malformed(file: "f")), .credentials(.noKey(file: "f")), .credentials(.noIdentity),
            .credentials(.otherKey), .credentials(.malformedCertificate), .credentials(.notSigning),
            .credentials(.greeting), .credentials(.system(.makeFolder, path: "p", reason: "r")),
            .credentials(.system(.read, path: "p", reason: "r")), .credentials(.system(.write, path: "p", reason: "r")),
            .credentials(.openSSL("o")),
        ]
        #expect(areSentences(errors))
        let starts: [RelayStartError] = [
            .network(.silent), .storage(.newerSchema), .storage(.inUse), .storage(.damaged("a")),
            .storage(.unavailable("a")),
        ]
        #expect(areSentences(starts))
    }

    @Test func `errors of the agent and its store are sentences`() {
        let errors: [AgentError] = [
            .invalidLink, .unsupportedLink, .shortLinksUnsupported, .incompatibleVersion, .noRelay, .unknownConnection,
            .unknownRequest, .notReady, .messageTooLong(limit: 1), .relayUnreachable, .relayUnusable(.version),
            .peerGone,
            .peerQueueFull, .relayRefused("AUTH"), .noPrivateRoute, .unexpectedMessage, .undecryptable, .outdated,
            .stopped, .store(.inUse), .store(.wrongKey), .store(.newerSchema(found: 2, supported: 1)),
            .store(.damaged("a")), .store(.invalidKey), .store(.full), .store(.closed), .store(.unavailable("a")),
        ]
        #expect(areSentences(errors))
    }

    @Test func `errors of media are sentences`() {
        let errors: [MediaError] = [
            .description(.missingFingerprint), .description(.mediaCount(7)), .missingElement("x"), .unreachable,
            .closed, .pipeline("x"), .negotiation(.mediaLine(1)), .startFailed("x"), .relay(.noneConfigured),
            .device(.source),
            .device(.noElement("x")), .device(.unusable(.camera, "x")), .device(.notOpened(.speaker, "x", detail: nil)),
            .device(.film("x")), .device(.filmLacks(.camera, "x", detail: "No.")), .device(.cameraDenied),
            .device(.cameraNotGiven(Cause(PortalError.noPortal))), .device(.cameraNotOpened(detail: nil)),
            .device(.test(.camera, detail: nil)), .device(.test(.microphone, detail: nil)), .device(.screenUnusable),
            .device(.screenNotGiven(Cause(PortalError.denied))), .device(.screenNotCaptured), .device(.systemSound),
            .soundFile(.file("x"), detail: "y"), .soundFile(.file("x"), detail: nil),
            .soundFile(.resource("x"), detail: "y"),
        ]
        #expect(areSentences(errors))
    }

    @Test func `an error of the account tells what is behind it`() {
        #expect(
            AccountError.relay(Cause(AgentError.relayUnreachable)).sentence
                == "The relay can't be used right now: The relay can't be reached; check the network.")
        #expect(
            AccountError.store(.missing("agent.sqlite")).sentence == """
                The profile's store can't be opened: The file agent.sqlite is missing or empty beside the profile's other \
                files; restore it from a backup, or remove the folder to begin anew.
                """)
        #expect(
            AccountError.keyring(.service(.locked)).sentence
                == "The profile's key is not within reach: The keyring is locked; unlock it and try again.")
        #expect(
            AccountError.embeddedRelayPort(70_000).sentence
                == "The embedded relay did not start: 70000 is no port; use 0 to 65535.")
        #expect(AccountError.connection(.kept("Too late.")).sentence == "The connection failed: Too late.")
        #expect(AccountError.call(.busy).sentence == "You are already in a call; end it or put it on hold first.")
    }

    @Test func `a relay that is too old is named so, and not the network`() {
        let sentence = AgentError.relayUnusable(.version).sentence
        #expect(sentence.contains("too old") && !sentence.contains("network"))
    }

    @Test func `what a library says loses its period within a sentence`() {
        #expect(
            MediaError.device(.notOpened(.camera, "Red", detail: "It is busy.")).sentence
                == "The camera “Red” could not be opened (It is busy).")
    }
}
