import Foundation
import Signaling

/// How the person here shows themselves to contacts.
public struct OwnProfile: Sendable, Hashable {
    /// The most characters of a description (Calls fact sheet §2).
    static let longestDescription = 160

    /// The name that contacts see.
    public var displayName: String
    /// A line about the person; nil for none.
    public var shortDescription: String?
    /// A picture, such as `PictureFile` makes; nil for none.
    public var picture: ProfilePicture?

    /// A profile with these parts.
    public init(displayName: String, shortDescription: String? = nil, picture: ProfilePicture? = nil) {
        self.displayName = displayName
        self.shortDescription = shortDescription
        self.picture = picture
    }

    /// Whether something is left of a name without what is no part of one.
    public static func isName(_ text: String) -> Bool { DisplayName.cleaned(text) != nil }

    init(_ profile: Profile) {
        displayName = profile.displayName
        shortDescription = profile.shortDescription
        picture = profile.image.flatMap { try? ProfilePicture(parsing: $0) }
    }

    /// Where all but the name is kept.
    static let storeName = "own-profile"

    fileprivate struct Kept: Codable {
        var shortDescription: String?
        var image: String?
    }

    /// All but the name, which is among the settings.
    func encoded() throws(AccountError) -> [UInt8] {
        do {
            return [UInt8](try JSONEncoder().encode(Kept(shortDescription: shortDescription, image: picture?.text)))
        } catch {
            throw .store(.profileNotKept)
        }
    }

    /// A line of somebody about themselves without what is no part of one; nil when nothing is left.
    static func cleanedDescription(_ text: String) -> String? {
        DisplayName.cleaned(text, limit: longestDescription)
    }
}

extension Profile {
    /// Sets what was kept of the own profile; what can't be read is none.
    mutating func restore(_ bytes: [UInt8]?) {
        guard let bytes, let kept = try? JSONDecoder().decode(OwnProfile.Kept.self, from: Data(bytes)) else { return }
        shortDescription = kept.shortDescription
        image = kept.image
    }

    /// Sets what the person shows of themselves.
    mutating func set(_ own: OwnProfile) {
        displayName = own.displayName
        shortDescription = own.shortDescription
        image = own.picture?.text
    }
}
