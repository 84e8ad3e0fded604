import Media
import MediaRules
import Parley
import SFU
import SFURules

extension SFUError: Worded {
    public var sentence: String {
        switch self {
        case .invalidAddress, .unsafeAddress: addressSentence
        case .unreachable, .certificate, .authorities, .local, .timedOut, .lost, .closed: waySentence
        case .notJanus: tr("What answers there is no Janus: check the address, and that Janus takes WebSockets there.")
        case .noVideoRoom: tr("This Janus has no rooms for video calls: its plugin videoroom has to be installed.")
        case .unauthorized: tr("The call server refuses the token: check the token secret.")
        case .mayNotMakeRooms:
            tr("The call server makes rooms only for who has its key: check the key for making rooms.")
        case .malformed: tr("What the call server says can't be understood: it may be no Janus, or another version.")
        case .refused(let code): tr("The call server refuses to work (error %s); ask who runs it.", code)
        default: roomSentence
        }
    }

    private var addressSentence: String {
        self == .unsafeAddress
            ? tr("A call server on another computer needs an address that begins with wss://.")
            : tr("The address of a call server looks like wss://calls.example.org.")
    }

    private var waySentence: String {
        switch self {
        case .unreachable(let reason):
            tr("The call server can't be reached (%s): check address, port and network.", String(reason.withoutPeriod))
        case .certificate(let reason):
            tr(
                "The call server's certificate is refused (%s): check the address, or ask who runs it.",
                String(reason.withoutPeriod))
        case .authorities:
            tr("The certificates of this computer's authorities can't be read: install the package ca-certificates.")
        case .local(let reason):
            tr(
                "This computer can't encrypt the way to the call server (%s): update the system.",
                String(reason.withoutPeriod))
        case .timedOut: tr("The call server does not answer: check address, port and firewall.")
        case .lost: tr("The connection to the call server was lost: check the network and try again.")
        default: tr("The connection to the call server was closed; try again.")
        }
    }

    private var roomSentence: String {
        switch self {
        case .wrongPin: tr("The call server wants another PIN for this room; begin the call anew.")
        case .wrongSecret: tr("The call server wants another secret for this room; begin the call anew.")
        case .roomFull: tr("The call's room on the call server is full; somebody has to leave first.")
        case .noSuchRoom: tr("The call's room is not on the call server any more; begin the call anew.")
        case .roomExists: tr("The call server has such a room already; try again.")
        case .feedTaken: tr("The call server takes somebody else in the room for you; join again.")
        case .noSuchFeed: tr("Who was to be seen does not send to the call server any more.")
        case .encryptionRequired:
            tr("The call server takes only media that are encrypted from end to end; update Parley.")
        case .invalidDescription:
            tr("The call server can't take what this computer sends; update Parley or the server.")
        case .alreadyJoined: tr("You are in a room of the call server already; leave that call first.")
        case .tooMany: tr("The call server was asked for too much at once; try again in a moment.")
        default: tr("You are not in the call's room on the call server; join again.")
        }
    }
}

extension SFUTest.Step: Worded {
    public var sentence: String {
        switch self {
        case .connected(let milliseconds): tr("It answers, after %s ms.", milliseconds)
        case .found(let version): tr("It is Janus %s, with rooms for video calls.", version)
        case .admitted: tr("It takes your token, or wants none.")
        case .roomMade: tr("It has made a room.")
        case .joined: tr("You can join the room.")
        case .roomDestroyed: tr("It has closed the room again.")
        }
    }
}

extension RoomTrial.Step: Worded {
    public var sentence: String {
        switch self {
        case .sent(nil): tr("Sound and pictures reach it.")
        case .sent(let path?):
            path.isRelayed
                ? tr("Sound and pictures reach it over your TURN server.") : tr("Sound and pictures reach it directly.")
        case .received(nil): tr("They come back as they were sent.")
        case .received(let path?):
            path.isRelayed
                ? tr("They come back over your TURN server, as they were sent.")
                : tr("They come back directly, as they were sent.")
        }
    }
}

extension RoomTrialFault: Worded {
    public var sentence: String {
        switch self {
        case .notReached:
            tr(
                """
                Sound and pictures don't reach the call server: its firewall has to let UDP through to Janus's rtp_port_range, and Janus \
                has to know its public address; else add a TURN server.
                """)
        case .notReturned:
            tr(
                """
                Sound and pictures reach the call server and don't come back: its firewall has to let UDP through to Janus's \
                rtp_port_range for several connections at once.
                """)
        case .changed:
            tr("What comes back from the call server is not what was sent: don't use it, and ask who runs it.")
        case .ended: tr("The call server has closed the room of the test: try again, or ask who runs it.")
        }
    }
}

extension GroupServerTest.Step: Worded {
    public var sentence: String {
        switch self {
        case .server(let step): step.sentence
        case .media(let step): step.sentence
        }
    }

    /// What is tried behind it, for as long as that takes.
    public var next: String {
        switch self {
        case .server(.joined): tr("Sending sound and pictures to it…")
        case .media(.sent): tr("Waiting for them to come back…")
        case .server, .media: tr("Asking it…")
        }
    }
}

extension GroupServerTest.Failure: Worded {
    public var sentence: String {
        switch self {
        case .server(let error): error.sentence
        case .trial(let fault): fault.sentence
        case .media(let error): error.sentence
        }
    }
}
