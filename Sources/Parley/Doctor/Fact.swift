import BaseKit
import Foundation
import Keyring
import Media
import MediaRules
import SMPSession

extension Finding {
    /// What ``Doctor`` can find out.
    public enum Fact: Sendable, Equatable {
        /// All elements that every call needs are there. (how many)
        case elements(Int)
        /// There are no calls without these elements.
        case noElements(MediaError)
        /// Elements are missing for a use that calls can be without.
        case lacking(MissingElements, NeededElement.Use)
        /// Without elements no device is found.
        case devicesUnknown
        /// There is no device of this kind.
        case noDevice(DeviceKind)
        /// The standard device of this kind, by its name, and how many there are.
        case device(DeviceKind, String, count: Int)
        /// The desktop hands something out. (the portal's version)
        case offered(DesktopOffer, version: Int)
        /// The desktop does not hand something out.
        case notOffered(DesktopOffer, Cause)
        /// The keyring is there and open.
        case keyring
        /// The keyring can't be used.
        case noKeyring(KeyringFault)
        /// No profile was named.
        case noProfile
        /// The profile's settings can be read.
        case settings
        /// The profile's settings are empty or damaged.
        case settingsLost
        /// No relay is named or remembered.
        case noRelay
        /// A relay's address does not parse.
        case relayAddress(String)
        /// There is no connection to a relay.
        case relayUnreachable(TransportError)
        /// A relay connects and does not answer. (the agreed SMP version)
        case relaySilent(version: Int)
        /// A relay answers, after so many milliseconds.
        case relay(version: Int, connecting: Int, answering: Int, hasShortLinks: Bool)
        /// No server for calls is named or remembered.
        case noServer
        /// What a server for calls answers.
        case server(ServerTest.Answer)
        /// A server for calls is of no use now.
        case serverUnusable(ServerTestError)
        /// No server for calls of more than four is named or remembered.
        case noCallServer
        /// A call server makes rooms, and media go through them. (the version of its Janus, milliseconds until it was connected, whether a
        /// TURN server is on the media's way)
        case callServer(version: String, connecting: Int, isRelayed: Bool)
        /// A call server is of no use now.
        case callServerUnusable(GroupServerTest.Failure)
        /// The clock is in step with a time server. (its time, the greatest error in milliseconds)
        case clock(Date, error: Int)
        /// The clock is before the day this program was put here.
        case clockBehind(Date)
        /// Nobody keeps the clock in step.
        case clockLoose(Date)
        /// The system does not say how the clock is kept.
        case clockUnknown(Date)
    }
}
