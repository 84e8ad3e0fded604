import GLibKit
import Signaling

/// The pages of the main window that show one call: while it rings, while it is on, when it is over. Another call gets others.
@MainActor final class CallPages {
    /// Called when tiles are hidden by those who take part in a call of several, or shown again.
    var onCover: () -> Void = {}
    /// Called when the person has changed how the call is shown.
    var onViewChange: (ViewChange) -> Void = { _ in }
    /// What can be done to the call.
    let actions: CallActions
    private let callView: CallView?
    private let groupView: GroupCallView?
    private let firstPlacement: PreviewPlacement
    private let incomingView = FaceView(template: "incoming-call")
    private let endedView = FaceView(template: "ended-call")

    /// Makes the pages with the presenter's pictures. `placement` is where the preview lies; `onDevice` is told which device
    /// the person chooses.
    init(
        _ actions: CallActions, presenter: CallPresenter, placement: PreviewPlacement,
        talksWithSpace: @escaping () -> Bool = { false }, onDevice: @escaping DeviceMenu.Choice
    ) {
        self.actions = actions
        firstPlacement = placement
        if actions.session.several != nil {
            callView = nil
            groupView = GroupCallView(
                local: presenter.local, picture: { [faces = presenter.faces] in faces.picture(of: $0) },
                talksWithSpace: talksWithSpace, onDevice: onDevice)
            groupView?.onCover = { [weak self] in self?.onCover() }
            groupView?.onTalk = { [actions] in actions.talk($0) }
            groupView?.onPin = { [actions] in actions.pin($0) }
            groupView?.people.onPin = { [actions] in actions.pin($0) }
            groupView?.people.onVolume = { [actions] in actions.choose($1, of: $0) }
            groupView?.people.onRemove = { [actions] in actions.remove($0) }
            groupView?.people.onCompare = { [actions] in actions.compare($0) }
            groupView?.people.onInvite = { [actions] in actions.invite($0) }
        } else {
            groupView = nil
            callView = CallView(
                remote: presenter.remote, screen: presenter.screen, local: presenter.local, placement: placement,
                onDevice: onDevice)
            callView?.onTalk = { [actions] in actions.talk($0) }
            callView?.onVolumes = { [actions] in actions.choose($0) }
            callView?.onViewChange = { [weak self] in self?.onViewChange($0) }
            callView?.setTalksWithSpace(talksWithSpace)
        }
        for page in [callView?.root, groupView?.root, incomingView.root, endedView.root] {
            if let page { actions.insert(into: page) }
        }
        incomingView.addKey("<Control>BackSpace", starting: "call.decline")
        incomingView.setShown("accept_video_button", actions.session.kind == .video)
    }

    /// Where the preview lies now.
    var placement: PreviewPlacement { callView?.placement ?? firstPlacement }

    /// Puts the pages into a window.
    func add(to window: MainWindow) {
        if let callView { window.add(.call, callView.root, first: callView.first, focus: callView.rest) }
        if let groupView { window.add(.call, groupView.root, first: groupView.first, focus: groupView.rest) }
        window.add(.incoming, incomingView.root, focus: incomingView.rest)
        window.add(.ended, endedView.root, focus: endedView.rest)
    }

    /// Shows the state of the call.
    func show(_ call: CallPresentation) {
        callView?.show(call)
        groupView?.show(call)
        incomingView.show(call)
        endedView.show(call)
    }

    /// Lets their camera fill the window, or shows it whole again.
    func toggleFit() { callView?.toggleFit() }

    /// Shows how good the connection is.
    func show(_ reading: QualityReading?) { callView?.show(reading) }

    /// Shows the calls on hold behind this one.
    func show(held calls: [ShownCall]) { callView?.show(held: calls) }

    /// Says whether the call rings here.
    func setRinging(_ isRinging: Bool) { incomingView.setPulsing(isRinging) }

    /// Shows how loud they speak, from 0 to 3.
    func show(speaking step: Int) { callView?.show(speaking: step) }

    /// Shows how loud one of several speaks, from 0 to 3.
    func show(speaking step: Int, of member: MemberNumber) { groupView?.show(speaking: step, of: member) }

    /// Shows who takes part in a call of several, or hides that.
    func togglePeople() { groupView?.togglePeople() }

    /// Whether those who take part in a call of several are shown in place of the tiles.
    var hidesTiles: Bool { groupView?.hidesTiles ?? false }

    /// Shows how loud our microphone is, from 0 to 1.
    func show(level: Double) {
        callView?.show(level: level)
        groupView?.show(level: level)
    }
}
