import Calling
import Cryptography
import Signaling

/// What tells one state of the own profile from another: a digest of all that contacts are sent of it, but for what the program can and by
/// what one of them recognises the person.
enum ProfileMark {
    /// That of no profile at all.
    static let none = ""

    static func of(_ profile: Profile) -> String {
        var profile = profile
        profile.abilities = []
        profile.recognitionSeed = nil
        let digest = Digest.sha256(JSONValue.object(profile.json).encoded)
        return Base64URL.encode(Array(digest.prefix(16)), padded: false)
    }
}

extension ContactBook.Record {
    /// The contact has been sent this profile.
    mutating func noteTold(_ profile: Profile) {
        toldAbilities = profile.abilities
        toldProfile = ProfileMark.of(profile)
        if let seed = profile.recognitionSeed { ownRecognitionSeed = seed }
    }

    /// Whether they have been sent this profile, what it says of the program, and what they recognise the person by if both take part in
    /// calls of several.
    func knows(_ profile: Profile) -> Bool {
        let canRecognise =
            ownRecognitionSeed != nil || !abilities.contains(.groups) || !profile.abilities.contains(.groups)
        return canRecognise && toldAbilities == profile.abilities && toldProfile == ProfileMark.of(profile)
    }
}

extension ContactBook {
    /// Those of whom it was not noted which profile they have been sent have been sent this one.
    mutating func assumeTold(_ profile: Profile) {
        let mark = ProfileMark.of(profile)
        for record in records where record.toldProfile == nil {
            update(ContactID(rawValue: record.connection)) { $0.toldProfile = mark }
        }
    }
}
