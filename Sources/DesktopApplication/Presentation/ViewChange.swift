import Wording

/// What the person has changed about how a call is shown, for whoever does not see it.
enum ViewChange: Equatable {
    /// Their camera fills the window, or is shown whole.
    case filled(Bool)
    /// A shared screen is shown so many times as large; 1: whole.
    case zoomed(Double)
    /// The small picture lies in another corner.
    case moved(PreviewPlacement.Corner)
    /// Another picture is large: whose call it is, and which picture.
    case swapped(PictureArrangement.Picture, name: String)
    /// The call has the whole screen, or not any more.
    case fullScreen(Bool)

    /// It in one sentence.
    var sentence: String {
        switch self {
        case .filled(true): tr("The picture fills the window")
        case .filled(false): tr("The whole picture is shown")
        case .zoomed(let scale) where scale <= 1: tr("The whole screen is shown")
        case .zoomed(let scale): tr("The screen is enlarged to %s %", Int((scale * 100).rounded()))
        case .moved(.topLeft): tr("The small picture is at the upper left")
        case .moved(.topRight): tr("The small picture is at the upper right")
        case .moved(.bottomLeft): tr("The small picture is at the lower left")
        case .moved(.bottomRight): tr("The small picture is at the lower right")
        case .swapped(.own, _): tr("Your own picture is shown large")
        case .swapped(.theirCamera, let name): tr("%s’s picture is shown large", name)
        case .swapped(.theirScreen, let name): tr("%s’s screen is shown large", name)
        case .fullScreen(true): tr("The call has the whole screen")
        case .fullScreen(false): tr("The call is in its window again")
        }
    }
}
