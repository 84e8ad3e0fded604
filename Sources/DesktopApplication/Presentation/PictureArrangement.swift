/// Which picture of a call lies where on its page.
struct PictureArrangement: Equatable {
    /// Whose picture it is, and of what.
    enum Picture: Equatable { case theirCamera, theirScreen, own }

    /// What fills the page; nil where the face stands.
    let large: Picture?
    /// What lies small over it and can be moved.
    let small: Picture?
    /// What lies small beside that.
    let beside: Picture?

    /// Works it out; `isSwapped` says that the person wants the own picture large.
    init(_ call: CallPresentation, isSwapped: Bool) {
        let theirs: Picture? = call.showsRemoteScreen ? .theirScreen : call.showsRemoteVideo ? .theirCamera : nil
        let own: Picture? = call.showsPreview ? .own : nil
        // One of two is the other's place; a single one stays where it always is.
        let isSwapped = isSwapped && theirs != nil && own != nil
        large = isSwapped ? own : theirs
        small = isSwapped ? theirs : own
        beside = call.showsRemoteScreen && call.showsRemoteVideo ? .theirCamera : nil
    }

    /// Whether there are two that can change places.
    var canSwap: Bool { large != nil && small != nil }
}
