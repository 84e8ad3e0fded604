/// What keeps the own pictures from being larger.
public enum PictureLimit: String, Sendable, Hashable, CaseIterable {
    /// Nothing: they are sent as the camera gives them.
    case camera
    /// The network does not carry more.
    case network
    /// Encoding them takes this machine too long.
    case machine
    /// The peer shows them small.
    case view
    /// The person wants to save data.
    case data
}

/// The bounds on the own pictures that are not the network's.
struct PictureBounds: Sendable, Equatable {
    /// The size that the camera gives; nil before its first picture.
    var source: PictureSize?
    /// The size at which the peer shows them; nil where it does not say.
    var view: PictureSize?
    /// The best step that the machine can do.
    var machine = 0

    private var sourceIndex: Int { source.map { VideoStep.index(forPixels: $0.pixels) } ?? 0 }
    private var viewIndex: Int { view.map { VideoStep.index(forPixels: $0.pixels) } ?? 0 }

    /// The best step that is of any use.
    var ceiling: Int { max(sourceIndex, viewIndex, machine) }

    /// What keeps pictures of a step from being larger; `isSaving` where the rate is as high as the person allows.
    func limit(at index: Int, isSaving: Bool) -> PictureLimit {
        if index > ceiling { return isSaving ? .data : .network }
        if index <= sourceIndex { return .camera }
        return index == machine ? .machine : .view
    }
}
