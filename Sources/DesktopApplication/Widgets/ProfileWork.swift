import CGtk
import GLibKit
import Wording

/// Something that takes its time with a profile's file, with a bar that says how far it is and a line for what went wrong.
@MainActor final class ProfileWork {
    /// Is told when it begins and ends.
    var onChange: @MainActor () -> Void = {}
    private let template: Template
    private var task: Task<Void, Never>?

    /// Fills the widgets of a template.
    init(_ template: Template) { self.template = template }

    /// Whether something is done now.
    var isUnderWay: Bool { task != nil }

    /// Does something; what goes wrong is said.
    func begin(
        _ body: @escaping @MainActor (_ tell: @escaping @MainActor (Double) -> Void) async throws -> Void,
        onDone: @escaping @MainActor () -> Void, onFailure: @escaping @MainActor () -> Void = {}
    ) {
        guard task == nil else { return }
        say("")
        show(0)
        task = Task { [weak self] in
            let failure: (any Error)?
            do {
                try await body { [weak self] in self?.show($0) }
                failure = nil
            } catch {
                failure = error
            }
            guard let self else { return }
            task = nil
            template["progress"].isVisible = false
            onChange()
            guard let failure else { return onDone() }
            if !(failure is CancellationError) { say(sentence(of: failure)) }
            onFailure()
        }
        onChange()
    }

    /// Does it no more.
    func cancel() { task?.cancel() }

    /// Shows what is wrong; empty for nothing.
    func say(_ sentence: String) {
        template["error"].text = sentence
        template["error"].isVisible = !sentence.isEmpty
    }

    private func show(_ part: Double) {
        guard task != nil || part == 0 else { return }
        template["progress"].isVisible = true
        gtk_progress_bar_set_fraction(template["progress"].pointer(), part)
    }
}
