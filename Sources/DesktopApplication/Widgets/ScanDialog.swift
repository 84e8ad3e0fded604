import CGtk
import GLibKit
import Wording

/// Looks for a link in what the camera sees, or in a picture. The camera is open as long as the window is.
@MainActor final class ScanDialog: Dialog {
    let window: DialogWindow
    private let template = Template("scan")
    private let provider: any LinkProvider
    private let onLink: @MainActor (String) -> Void
    private let paintable = VideoPaintable(mirrored: true)
    private var looking: Task<Void, Never>?
    private var chooser: FileChooser?

    /// Makes the window, to lie over another one; `onLink` gets the first link that is seen, and the window closes.
    init(over parent: Widget, provider: any LinkProvider, onLink: @escaping @MainActor (String) -> Void) {
        self.provider = provider
        self.onLink = onLink
        window = DialogWindow(template.root, over: parent)
        gtk_picture_set_paintable(template["camera"].pointer(), paintable.object.pointer())
        template["picture_button"].connect("clicked") { [weak self] in self?.choosePicture() }
        say(tr("Hold the QR code into the camera."))
        looking = Task { [weak self] in await self?.look() }
    }

    func gone() { stop() }

    private func stop() {
        looking?.cancel()
        looking = nil
        paintable.attach(nil)
    }

    private func look() async {
        if let obstacle = await provider.obstacleToScanning() {
            template["picture_button"].isSensitive = false
            return say(obstacle)
        }
        do {
            let scan = try await provider.scan()
            guard window.isOpen, !Task.isCancelled else { return }
            paintable.attach(scan.picture)
            for await news in scan.news where !Task.isCancelled {
                switch news {
                case .found(let text): receive([text])
                case .notice(let sentence): say(sentence)
                }
            }
        } catch {
            if !Task.isCancelled { say(sentence(of: error)) }
        }
    }

    private func choosePicture() {
        chooser = FileChooser(.code, over: template.root) { [weak self] path in self?.read(path) }
    }

    /// Looks for a link in a picture file.
    func read(_ path: String) {
        Task { [weak self, provider] in
            do {
                let texts = try await provider.codes(inPictureAt: path)
                guard !texts.isEmpty else { return self?.say(tr("There is no QR code in this picture.")) ?? () }
                self?.receive(texts)
            } catch {
                self?.say(sentence(of: error))
            }
        }
    }

    private func receive(_ texts: [String]) {
        guard window.isOpen else { return }
        guard let link = texts.first(where: { provider.kind(ofLink: $0) != nil }) else {
            return say(tr("This QR code holds no link that Parley can open."))
        }
        stop()
        window.close()
        onLink(link)
    }

    private func say(_ sentence: String) { template["state"].text = sentence }
}
