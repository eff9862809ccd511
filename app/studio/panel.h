#pragma once

#include <QWidget>

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

class QSettings;

namespace et::visualizers {
class DebugState;
class NoteModel;
class OpenSession;
class Results;
class Selection;
}  // namespace et::visualizers

namespace et::studio {

struct JobRequest;
struct Perspective;
class TimeUnitMenu;

/// Services that the window provides to a panel. All must outlive the panel.
struct PanelContext {
    const visualizers::OpenSession& opened;
    visualizers::Selection& selection;
    visualizers::Results& results;
    visualizers::NoteModel& notes;
    visualizers::DebugState& debugger;
    QSettings& settings;
    TimeUnitMenu& timeUnits;  ///< unit of times, for panels that show it among their tools
    /// Opens files like a drop on the window.
    std::function<void(const std::vector<std::filesystem::path>&)> open{};
    /// Replaces the session by these files.
    std::function<void(const std::vector<std::filesystem::path>&)> openAlone{};
    /// Adds files to the session: traces, or a program to compare.
    std::function<void(const std::vector<std::filesystem::path>&)> addTraces{};
    /// Shows a dialog for opening files.
    std::function<void()> promptForFiles{};
    /// Raises a panel by its id.
    std::function<void(std::string_view)> enter{};
    /// Shows the dialog for reducing, extracting, replanning or soaking the program (JobDialog).
    std::function<void(const JobRequest&)> fix{};
};

/// A panel of the window: a view of the open session, with the processes and files that it needs. Panels
/// share session, selection and results, and are independent of each other. Their actions
/// (QWidget::actions()) are added to the menu and the command palette; shortcuts work while the panel has the
/// focus.
class Panel : public QWidget {
    Q_OBJECT

  public:
    using QWidget::QWidget;

    /// True if the session has content for this panel.
    [[nodiscard]] virtual bool hasContent() const = 0;
    /// Ctrl+F: gives the focus to the visible FilterField.
    virtual void find();
    /// Called when the perspective changes, to give priority to its subject.
    virtual void arrangedFor(const Perspective&) {}
    /// Called when panels have moved: whether the Inspector is open, also behind another tab, so that its
    /// details need not be shown twice.
    virtual void setInspectorOpen(bool) {}
    /// State to restore at the next start; by default that of all splitters.
    [[nodiscard]] virtual QByteArray saveState() const;
    virtual void restoreState(const QByteArray& state);
    /// The visible part of the content, for navigation; empty: none. restoreView() restores it as far as
    /// possible.
    [[nodiscard]] virtual QByteArray viewState() const { return {}; }
    virtual void restoreView(const QByteArray&) {}

    /// The minimum height: in a lower pane, the panel scrolls. The preferred height would hide the lower part
    /// of panels.
    [[nodiscard]] int heightForWidth(int width) const override;

  signals:
    /// The visible part of the content, viewState(), has changed.
    void viewChanged();
    /// The panel has a result that the user requested elsewhere, and should be raised.
    void entryWanted();
    /// The panel has content for what the user selected in another panel, and should come to the front of its
    /// pane if the pane is visible; the focus stays.
    void frontWanted();
    /// One-line message for the user about an error.
    void noticed(const QString& line);
};

}  // namespace et::studio
