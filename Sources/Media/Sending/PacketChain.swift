import CGStreamer
import GLibKit
import MediaRules

/// The way of sealed frames to packets: payloader → label. The payloader paces the packets of pictures.
///
/// It stays for the whole transport, so that sequence numbers go on whatever becomes of the frames' source.
struct PacketChain: Sendable {
    /// Where frames come in.
    let payloader: Element
    private let label: Element

    /// Encoded frames that wait for the pacer, so that a key frame's packets do not keep the encoder from the next pictures.
    private static let waitingFrames = "queue max-size-buffers=3 max-size-bytes=0 max-size-time=0 !"

    /// Its elements as a text of `gst-launch`; `name` begins their names where there are several in one bin.
    static func description(of kind: FrameKind, name: String = "") -> String {
        let payloader = kind == .audio ? "rtpopuspay" : "parleyvp8pay"
        return
            "\(kind == .audio ? "" : waitingFrames) \(payloader) name=\(name)payloader mtu=1200 ! capsfilter name=\(name)label"
    }

    /// Finds its elements in a bin made of ``description(of:)``, and labels what leaves. Throws ``MediaError``.
    init(in bin: Element, name: String = "", label: MediaLabel) throws(MediaError) {
        payloader = try bin.child(name + "payloader")
        self.label = try bin.child(name + "label")
        payloader.set("pt", label.payloadType)
        self.label.setCaps(label.caps)
    }

    /// Spreads packets over time from now on, and with `dropsWaiting` lets frames go where the pacing says so.
    func pace(by pacing: Pacing, dropsWaiting: Bool = false) {
        VP8PayloadElement.gclass.peer(of: payloader).setPacing(pacing, dropsWaiting: dropsWaiting)
    }

    /// Says of each packet that it comes from another source than the label says.
    func setSource(_ source: UInt32) { output?.setSource(ofPackets: source) }

    /// Where packets leave.
    var output: Pad? { label.pad("src") }
}
