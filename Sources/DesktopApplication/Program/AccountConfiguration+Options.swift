import CGtk
import MediaRules
import Parley

extension AccountConfiguration {
    /// What the command line asks for: a relay inside the program unless another is named, and the contact "Test call".
    init(_ options: Options) {
        self.init(directory: options.profile ?? Self.usualFolder)
        relays = options.relay.map { .external([$0]) } ?? .embedded(host: "127.0.0.1", port: 0)
        displayName = options.name
        camera = options.camera.map(CameraSource.init) ?? .automatic
        microphone = options.microphone.map(MicrophoneSource.init) ?? .automatic
        screen = options.screen ?? .portal
        offersTestCall = true
        mostCalls = 4
        if options.keepsKeyInFile { storeKey = .keyFile }
        if options.passphraseFile != nil { storeKey = .passphrase }
    }

    /// The folder in the person's data folder.
    static var usualFolder: String { String(cString: g_get_user_data_dir()) + "/parley" }
}
