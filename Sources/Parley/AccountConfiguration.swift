import Calling
import Cryptography
import Keyring
import MediaRules
import SMP

/// How to open an account.
public struct AccountConfiguration: Sendable {
    /// Where the account's own queues are made.
    public enum Relays: Sendable, Equatable {
        /// Relays somewhere else, as `smp://FINGERPRINT@HOST:PORT`; empty: those the profile remembers.
        case external([String])
        /// A relay inside this program, listening on `host`:`port` (port 0: any free one). New mailboxes are made there unless
        /// the profile remembers other relays.
        case embedded(host: String, port: Int)
    }

    /// Folder of the account; made when absent.
    public var directory: String
    /// The name contacts see; nil: the remembered one, else the folder's name.
    public var displayName: String?
    /// Where the account's own queues are made.
    public var relays: Relays
    /// Where the picture comes from.
    public var camera: CameraSource
    /// Where the sound comes from.
    public var microphone: MicrophoneSource
    /// Where the peer's sound is played.
    public var speaker: SpeakerSink
    /// What may be done with the microphone's sound: what is off here stays off, whatever the person has chosen.
    public var allowedSoundProcessing = SoundProcessing()
    /// How the own pictures are sent; nil: what the profile remembers.
    public var pictures: PictureChoices?
    /// Whether pictures of calls are drawn by this program (`PeerSessionConfiguration.drawsPictures`).
    public var drawsPictures = true
    /// What is shown when the screen is shared.
    public var screen = ScreenSource.portal
    /// What becomes of a call whose peer does not encrypt frames end to end: the person is asked
    /// (`CallState.needsDecisionOnClearMedia`), or encryption is always required and the call ends.
    public var clearMedia = ClearMediaPolicy.ask
    /// Where the key of a new profile's store is kept. A profile that has one keeps its place, but for a key file that
    /// nobody chose.
    public var storeKey = StoreKeyChoice.automatic
    /// Whether the keyring may ask the person to unlock it when the account is opened; without that a locked one is an error.
    public var mayUnlockKeyring = true
    /// Asked for the passphrase where the key is kept under one.
    public var passphraseSource: (any PassphraseSource)?
    /// Whether contacts learn that their invitations to calls have come in.
    var sendsReceipts = true
    /// Which relays of contacts are reached through relays of this account, so that they don't see this machine's
    /// address; nil: what the profile remembers, else those the account doesn't use itself, unless its own relay is on
    /// this machine too.
    public var privateRouting: PrivateRoutingMode?
    /// STUN and TURN servers for calls; nil: those the profile remembers.
    public var callServers: [ICEServer]?
    /// Whether calls go only through TURN servers; nil: what the profile remembers.
    public var relayOnly: Bool?
    /// Whether own relays are asked which address this machine has; nil: what the profile remembers.
    public var asksRelays: Bool?
    /// The call server for calls of several, for this run alone; nil: the one the profile remembers.
    public var groupServer: GroupServer?
    /// Who finds relays in this network; nil: the machine's Avahi.
    var networkRelays: NetworkRelays?
    /// The most calls at once: active, on hold and ringing together. Who calls beyond is told that the person is busy.
    public var mostCalls = 1
    /// Whether the contact "Test call" is there: a second endpoint in this program that answers every call.
    public var offersTestCall = false
    /// Whether calls of several are made and taken, of which contacts are told (docs/groups.md); nil: what the profile remembers, else
    /// they are. Whoever is told may invite: a program that shows none of them sets it to false.
    public var takesGroupCalls: Bool?

    /// The keyring, which tests replace.
    var keyring: any SecretKeeping = SecretService()
    /// The clock of calls, which tests replace.
    var callClock: any CallClock = SystemCallClock()
    /// What makes the rooms of calls of several; tests put something in front of it.
    var groupRooms: @Sendable (any GroupRoomPort) -> any GroupRoomPort = { $0 }
    /// What a guess at a new passphrase costs.
    var passphraseCost = PassphraseKey.Cost.moderate

    /// An account in `directory` with the relays it remembers and the machine's own devices.
    public init(directory: String) {
        self.directory = directory
        relays = .external([])
        camera = .automatic
        microphone = .automatic
        speaker = .automatic
    }

    /// Whether the folder has a profile already, perhaps one that was carried elsewhere. Looks, and makes nothing.
    public var hasProfile: Bool { ProfileDirectory.hasProfile(directory) }

    /// Whether a text is the address of a relay, `smp://FINGERPRINT@HOST:PORT`.
    public static func isRelayAddress(_ text: String) -> Bool { (try? RelayAddress(parsing: text)) != nil }
}

/// Which relays of contacts an account sends to through relays of its own.
public enum PrivateRoutingMode: String, CaseIterable, Codable, Sendable {
    /// None: every relay is dialled.
    case never
    /// All but those the account uses itself.
    case unknown
    /// All, as far as there is another relay to send through.
    case always
}
