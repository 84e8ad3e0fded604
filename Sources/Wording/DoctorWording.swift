import Foundation
import Keyring
import Media
import MediaRules
import Parley
import SMPSession

extension Finding: Worded {
    public var sentence: String { fact.sentence }

    /// What to do about it, one sentence; nil when there is nothing to do.
    public var advice: String? { fact.advice }
}

extension Finding.Fact: Worded {
    public var sentence: String {
        switch self {
        case .elements(let count): tr("All %s elements of GStreamer’s that every call needs are there.", count)
        case .noElements(let error): error.sentence
        case .lacking(let missing, let use): tr("GStreamer’s %1$s can't be used: %2$s.", missing.names, use.loss)
        case .devicesUnknown: tr("Without GStreamer's elements no device is found.")
        case .noDevice(let kind): DeviceNotice.missing(kind).sentence
        case .device(let kind, let name, 1): tr("The %1$s is “%2$s”.", kind.word, name)
        case .device(let kind, let name, let count):
            tr("The %1$s is “%2$s”; there are %3$s.", kind.word, name, count)
        case .offered(.camera, let version): tr("The desktop hands out cameras (version %s).", version)
        case .offered(.screen, let version): tr("The desktop hands out screens (version %s).", version)
        case .notOffered(_, let cause): cause.sentence
        case .keyring: tr("The keyring is there and open.")
        case .noKeyring(let fault): fault.sentence
        case .noProfile: tr("The settings of no profile were read.")
        case .settings: tr("The profile's settings can be read.")
        case .settingsLost: tr("The profile's settings are empty or damaged: they name no relay any more.")
        case .noRelay: tr("No relay is named, and the profile remembers none.")
        case .relayAddress(let text): AccountError.relayAddress(text).sentence
        case .relayUnreachable(let error): error.sentence
        case .relaySilent(let version): tr("The relay greets with SMP %s but does not answer PING.", version)
        case .relay(let version, let connecting, let answering, let hasShortLinks):
            hasShortLinks
                ? tr(
                    "The relay speaks SMP %1$s (connected in %2$s ms, PING in %3$s ms).", version, connecting, answering
                )
                : tr(
                    "The relay speaks SMP %1$s (connected in %2$s ms, PING in %3$s ms), which has no short links.",
                    version,
                    connecting, answering)
        case .noServer:
            tr("No STUN or TURN server is named: calls reach only who is in the same network or has no router between.")
        case .server(let answer): answer.sentence
        case .serverUnusable(let error): error.sentence
        case .noCallServer: tr("No call server is named: at most four people can be in a call.")
        case .callServer(let version, let connecting, false):
            tr(
                "Sound and pictures go through rooms on it directly (Janus %1$s, connected in %2$s ms).", version,
                connecting)
        case .callServer(let version, let connecting, true):
            tr(
                "Sound and pictures go through rooms on it, over a TURN server (Janus %1$s, connected in %2$s ms).",
                version, connecting)
        case .callServerUnusable(let error): error.sentence
        case .clock(let time, let error):
            tr(
                "The clock is kept in step with a time server (%1$s, at most %2$s ms wrong).", time.formatted(.iso8601),
                error)
        case .clockBehind(let time):
            tr("The clock says %s, which is before this program was installed.", time.formatted(.iso8601))
        case .clockLoose(let time):
            tr(
                "Nobody keeps the clock in step (%s); if it is three minutes ahead, no call rings.",
                time.formatted(.iso8601))
        case .clockUnknown(let time):
            tr("The system does not say whether the clock is right (%s).", time.formatted(.iso8601))
        }
    }

    /// What to do about it, one sentence; nil when there is nothing to do.
    var advice: String? {
        switch self {
        case .elements, .noElements, .devicesUnknown, .device, .offered, .keyring, .settings, .server, .clock: nil
        case .callServer, .callServerUnusable: nil
        case .relay(_, _, _, true): nil
        case .relay(_, _, _, false): tr("Calls work; whoever runs the relay may update it.")
        case .lacking(let missing, _): missing.advice
        case .noDevice: tr("Calls go without; plug one in, or switch it on in the system's settings.")
        case .notOffered(.camera, _): tr("Calls take cameras without it, but not inside a sandbox such as Flatpak's.")
        case .notOffered(.screen, _):
            tr(
                "Calls work, but your screen can't be shared; install xdg-desktop-portal with the backend of your desktop."
            )
        case .noKeyring(.service(let error)): error.advice
        case .noKeyring: nil
        case .noProfile: tr("Name one with --profile.")
        case .settingsLost:
            tr(
                """
                Put a backup in its place, or name the relays, devices and private routing again: the next start begins them \
                anew and leaves what is there beside them.
                """)
        case .noRelay: tr("Name one with --relay, or a profile with --profile.")
        case .relayAddress: tr("Copy the relay's whole address anew.")
        case .relayUnreachable(let error): error.advice
        case .relaySilent: tr("Try again later, or use another relay.")
        case .noServer: tr("Name some with --call-servers, or a profile with --profile.")
        case .serverUnusable(let error): error.advice
        case .noCallServer: tr("Name one with --janus, or a profile with --profile.")
        case .clockBehind, .clockLoose:
            tr("Turn on automatic date and time in the system's settings (timedatectl set-ntp true).")
        case .clockUnknown: tr("Compare it with another one.")
        }
    }
}

extension NeededElement.Use {
    /// What there is not without its elements.
    fileprivate var loss: String {
        switch self {
        case .call: tr("there are no calls")
        case .sound: tr("microphones and speakers are not found")
        case .ring: tr("calls are not heard to ring")
        case .processing: tr("echo and noise stay in the microphone's sound")
        case .camera: tr("cameras are not found")
        case .portal: tr("cameras and screens that the desktop hands out are not used")
        case .film: tr("no film can take a camera's place")
        case .codes: tr("QR codes can't be read")
        }
    }
}

extension ServerTestError {
    /// What to do, where the sentence does not say it.
    fileprivate var advice: String? {
        switch self {
        case .server: tr("Write the server as stun:HOST:PORT, turn:HOST:PORT or turns:HOST:PORT, with its login.")
        case .way, .refused: tr("Ask who runs the server, or use another one.")
        case .silent, .loginRefused, .malformed: nil
        }
    }
}

extension KeyringError {
    fileprivate var advice: String {
        switch self {
        case .missing:
            tr(
                "Profiles can be kept under a passphrase or in a file instead; install gnome-keyring or KWallet for a keyring."
            )
        case .locked: tr("Unlock it or log in anew; a new profile would keep its key in a file.")
        case .silent, .refused, .noMemory, .lost:
            tr("Restart it or log in anew; a new profile would keep its key in a file.")
        }
    }
}

extension TransportError {
    fileprivate var advice: String {
        switch self {
        case .hostUnreachable, .timeout, .socket, .closedByPeer, .silent:
            tr("Check the network, the relay's address and its port, and that no firewall lies between.")
        case .wrongFingerprint:
            tr("Get the relay's address anew from who runs it; somebody else may answer in its place.")
        case .badCertificate(.validityDates): tr("Check this machine's date and time; else tell who runs the relay.")
        case .version: tr("Update Parley, or use another relay.")
        case .noReachableHost: tr("Ask who runs the relay for an address with a host name.")
        case .badCertificate, .tls, .noApplicationProtocol, .hello, .block, .protocolViolation:
            tr("Check that host and port are those of an SMP relay; else tell who runs it.")
        case .closed, .credentials, .cannotListen: tr("Try again.")
        }
    }
}
