import CGtk
import Foundation
import MediaRules
import Parley

extension AccountConfiguration {
    /// What the command line asks for: a relay inside the program unless another is named, and the contact "Test call".
    init(_ options: Options) {
        self.init(directory: options.profile ?? Self.usualFolder)
        relays = options.relay.map { .external([$0]) } ?? .embedded(host: "127.0.0.1", port: 0)
        displayName = options.name
        if displayName == nil, options.profile == nil, !FileManager.default.fileExists(atPath: directory) {
            displayName = Self.personsName
        }
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

    /// The person's name as the system knows it.
    private static var personsName: String {
        let real = g_get_real_name().map { String(cString: $0) } ?? "Unknown"
        return real.isEmpty || real == "Unknown" || real == "root" ? String(cString: g_get_user_name()) : real
    }
}
