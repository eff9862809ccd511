#pragma once

#include <QWidget>

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

class QSettings;

namespace et::visualizers {
class NoteModel;
class OpenSession;
class Results;
class Selection;
}  // namespace et::visualizers

namespace et::studio {

struct FixRequest;
struct Perspective;
class TimeUnitMenu;

/// What a room gets from the window. All of it outlives the room.
struct RoomContext {
    const visualizers::OpenSession& opened;
    visualizers::Selection& selection;
    visualizers::Results& results;
    visualizers::NoteModel& notes;
    QSettings& settings;
    TimeUnitMenu& timeUnits;  ///< the unit of times, for rooms that offer it beside their own tools
    /// Opens files as if they had been dropped on the window.
    std::function<void(const std::vector<std::filesystem::path>&)> open{};
    /// Opens files instead of what is open.
    std::function<void(const std::vector<std::filesystem::path>&)> openAlone{};
    /// Opens files beside what is open, which stays: traces, or a program to compare.
    std::function<void(const std::vector<std::filesystem::path>&)> openBeside{};
    /// Asks which files to open.
    std::function<void()> askForFiles{};
    /// Brings a room, by its id, to the front.
    std::function<void(std::string_view)> enter{};
    /// Asks a person how to reduce the program, take it apart, plan it anew or soak it (FixDialog).
    std::function<void(const FixRequest&)> fix{};
};

/// A part of the window with a concern of its own: a view of the open session, with what only a desktop
/// has (processes, files) around it. Rooms share session, selection and results, and do not know one another.
/// Its actions (QWidget::actions()) come into the menu and the command palette; their keys work while it has
/// the focus.
class Room : public QWidget {
    Q_OBJECT

  public:
    using QWidget::QWidget;

    /// Whether there is anything to show of what is open.
    [[nodiscard]] virtual bool hasContent() const = 0;
    /// A second program came, to be compared with the open one; false: that is not its concern.
    virtual bool takeProgram(const std::filesystem::path&) { return false; }
    /// A store of measurements came; false: that is not its concern.
    virtual bool takeStore(const std::filesystem::path&) { return false; }
    /// Ctrl+F.
    virtual void find() {}
    /// The rooms stand in another perspective: what its question is about comes before the rest.
    virtual void arrangedFor(const Perspective&) {}
    /// What the next start should find again.
    [[nodiscard]] virtual QByteArray saveState() const { return {}; }
    virtual void restoreState(const QByteArray&) {}
    /// What part of its content is on screen, for going back to it; empty: nothing to go back to. What it
    /// made restoreView() shows again as far as it still can.
    [[nodiscard]] virtual QByteArray viewState() const { return {}; }
    virtual void restoreView(const QByteArray&) {}

    /// The least that it can do with: a pane that is lower scrolls. What it would like to have would put the
    /// lower part of rooms below the fold.
    [[nodiscard]] int heightForWidth(int width) const override;

  signals:
    /// Another part of its content is on screen; viewState() tells which.
    void viewChanged();
    /// It has something that the person asked for from anywhere: bring it to the front.
    void entryWanted();
    /// A line for the person: something could not be done.
    void noticed(const QString& line);
};

}  // namespace et::studio
