import Agent
import BaseKit
import Calling
import MediaRules
import Parley
import TestSupport
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct RemedyTests {
    @Test func `an error that the program can do something about has a button`() {
        let table: [(any Error, Remedy?)] = [
            (AccountError.noRelay, .reach), (AccountError.relayAddress("x"), .reach),
            (AccountError.embeddedRelayPort(0), .reach),
            (AccountError.relay(Cause(AgentError.relayUnreachable)), .tryAgain),
            (AccountError.relay(Cause(AgentError.noRelay)), .reach), (AccountError.link(.relayUnreachable), .tryAgain),
            (AccountError.link(.invalidLink), nil), (AccountError.store(.contactsNotKept), .tryAgain),
            (AccountError.keyring(.lacksKey), .tryAgain), (AccountError.wrongPassphrase, .tryAgain),
            (AccountError.passphraseNeeded, .tryAgain), (AccountError.blockNotKept(.contactsNotKept), .tryAgain),
            (AccountError.tooManyCallServers, .preferences), (AccountError.contactGone("Ada"), .addContact),
            (AccountError.contactBlocked("Ada"), .unblock("ada")), (AccountError.callsNotAllowed("Ada"), .write("ada")),
            (AccountError.codeChanged, .compare("ada")), (AccountError.call(.blocked), .unblock("ada")),
            (AccountError.call(.busy), nil), (AccountError.connection(.nothingToRetry), .addContact),
            (AccountError.connection(.agent(.peerGone)), .addContact), (AccountError.connection(.notMovable), nil),
            (AccountError.media(.unreachable), .tryAgain), (AccountError.media(.missingElement("x")), nil),
            (AccountError.notConnected("Ada"), nil), (AccountError.closed, nil),
            (AgentError.relayUnreachable, .tryAgain), (AgentError.noPrivateRoute, .reach),
            (StoreError.full, .tryAgain), (MediaError.pipeline("x"), .tryAgain), (Cause(StoreError.full), .tryAgain),
            (Overdue("Nobody knows."), nil),
        ]
        for (error, remedy) in table { #expect(Remedy(error, about: "ada") == remedy, "\(error)") }
    }

    @Test func `what is about a contact has no button where nobody knows about whom it is`() {
        #expect(Remedy(AccountError.contactBlocked("Ada")) == nil)
        #expect(Remedy(AccountError.codeChanged) == nil)
    }

    @Test func `a call that neither side has ended may be tried again`() {
        func isFailure(_ reason: CallEndReason) -> Bool {
            var snapshot = CallSnapshot(stage: .ended(sentence: "Over."))
            snapshot.endReason = reason.rawValue
            return snapshot.isFailure
        }
        for reason in [CallEndReason.noAnswer, .connectionLost, .peerBusy, .connectTimeout] {
            #expect(isFailure(reason), "\(reason)")
        }
        for reason in [CallEndReason.hungUp, .peerHungUp, .declined, .declinedByPeer, .cancelled] {
            #expect(!isFailure(reason), "\(reason)")
        }
    }
}
