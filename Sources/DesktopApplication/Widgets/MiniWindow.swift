import CGtk
import GLibKit
import Signaling
import Wording

/// The small window of a collapsed call: their picture, mute, end, expand. It lives only while it is shown: GTK 4.8 ends the
/// program when an assistive tool asks for a window that is not there and the newest window is a hidden one
/// (`handle_accessible_method` in gtkatspiroot.c), so no window is ever kept hidden.
@MainActor final class MiniWindow {
    /// The window.
    let root: Widget
    private let template = Template("mini-window")
    private let muteButton: Widget
    private let announcer: Announcer
    private let talk: TalkKey
    private let talking: Talking
    private let remote: VideoPaintable
    private let screen: VideoPaintable
    private let picture: @MainActor (MemberNumber) -> VideoPaintable?

    /// What the call's microphone is like.
    private final class Talking {
        var microphone: ControlFace?
    }

    /// Shows their camera or the screen they share, or of several who shares one or speaks (`picture`), at the place and in the size of last time where the display lets it;
    /// `onClose` is called when the person closes the window, which does not end the call; `onTalk` when they begin to talk by holding Space, if
    /// `talksWithSpace`, and when they stop.
    init(
        application: Object, remote: VideoPaintable, screen: VideoPaintable,
        picture: @escaping @MainActor (MemberNumber) -> VideoPaintable? = { _ in nil },
        geometry: MiniWindowGeometry = MiniWindowGeometry(), talksWithSpace: @escaping () -> Bool = { false },
        onTalk: @escaping (Bool) -> Void = { _ in }, onClose: @escaping @MainActor () -> Void
    ) {
        self.remote = remote
        self.screen = screen
        self.picture = picture
        root = template.root
        muteButton = template["mute_button"]
        announcer = Announcer(template.root)
        let talking = Talking()
        self.talking = talking
        talk = TalkKey(on: template.root, microphone: muteButton) {
            PushToTalk.Situation(talking.microphone, isWanted: talksWithSpace())
        }
        talk.onTalk = { [talking = template["talking"]] isTalking in
            talking.isVisible = isTalking
            onTalk(isTalking)
        }
        gtk_window_set_application(root.pointer(), application.pointer())
        gtk_picture_set_paintable(template["remote_picture"].pointer(), remote.object.pointer())
        root.connect("close-request", returning: Bool.self) { _ in
            onClose()
            return true
        }
        gtk_window_set_default_size(root.pointer(), gint(clamping: geometry.width), gint(clamping: geometry.height))
        gtk_window_present(root.pointer())
        guard let window = X11Window(root) else { return }
        window.keepAbove()
        if let place = geometry.place(on: window.monitors) { window.move(to: place) }
    }

    /// Its size, and its place where that is known.
    var geometry: MiniWindowGeometry {
        var (width, height): (gint, gint) = (0, 0)
        gtk_window_get_default_size(root.pointer(), &width, &height)
        return MiniWindowGeometry(width: Int(width), height: Int(height), place: X11Window(root)?.place)
    }

    /// Shows the state of the call.
    func show(_ call: CallPresentation) {
        let speaker = call.group?.speaker
        template["avatar"].text = speaker?.name ?? call.name
        let showsPicture = speaker?.showsVideo ?? (call.showsRemoteVideo || call.showsRemoteScreen)
        template["avatar"].isVisible = !showsPicture
        let picture = template["remote_picture"]
        picture.isVisible = showsPicture
        let shown = speaker.flatMap { self.picture($0.id) } ?? (call.showsRemoteScreen ? screen : remote)
        if gtk_picture_get_paintable(picture.pointer()) != shown.object.pointer() {
            gtk_picture_set_paintable(picture.pointer(), shown.object.pointer())
            let other = call.showsRemoteScreen ? tr("Screen of the other person") : tr("Picture of the other person")
            picture.setAccessibleLabel(speaker.map { tr("Picture of %s", $0.name) } ?? other)
        }
        let showsScreen = speaker?.showsScreen ?? call.showsRemoteScreen
        gtk_picture_set_content_fit(
            picture.pointer(), showsScreen ? GTK_CONTENT_FIT_CONTAIN : GTK_CONTENT_FIT_COVER)
        template["sharing"].text = call.sharingSentence ?? ""
        template["sharing"].isVisible = call.sharingSentence != nil
        template["stop_sharing_button"].isVisible = call.sharingSentence != nil
        template["name"].text = call.name + " · " + call.status
        template["clear"].text = call.clearSentence ?? ""
        template["clear"].isVisible = call.clearSentence != nil
        template["system_mute"].text = call.systemMuteSentence ?? ""
        template["system_mute"].isVisible = call.systemMuteSentence != nil
        muteButton.show(call.controls.microphone)
        talking.microphone = call.controls.microphone
        if !call.controls.microphone.isEnabled { talk.release() }
    }

    /// Mutes who is heard as long as they hold Space.
    func stopTalking() { talk.release() }

    /// Says what other calls there are; nil without any. They are reached in the large window.
    func show(others sentence: String?) {
        template["others"].text = sentence ?? ""
        template["others"].isVisible = sentence != nil
    }

    /// Tells screen readers what has changed about a call.
    func announce(_ news: CallAnnouncement) { announcer.announce(news.sentence, isUrgent: news.isUrgent) }

    /// Closes the window for good.
    func destroy() { gtk_window_destroy(root.pointer()) }
}
