#pragma once

#include "visualizers/results.h"
#include "visualizers/selection.h"

#include <QByteArray>
#include <QObject>
#include <QTimer>

#include <cstddef>
#include <optional>
#include <vector>

class QAction;
class QMenu;

namespace et::studio {

class Room;
class RoomArea;
struct Perspective;

/// Back and forward through where a person was: perspective, room, what was chosen, and what part was on
/// screen. What changes quickly (a drag, a held key) is one step.
class History : public QObject {
    Q_OBJECT

  public:
    static constexpr std::size_t maxPlaces = 200;

    /// All must outlive this object.
    History(const visualizers::OpenSession& session, visualizers::Selection& selection,
            visualizers::Results& computed, RoomArea& rooms, QObject* parent);

    /// Adds back and forward, and the same as undo and redo.
    void addTo(QMenu& menu);
    void back() { go(-1); }
    void forward() { go(1); }
    /// Takes down where the person is now; else done when nothing has changed for a moment.
    void note();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Place {
        const Perspective* perspective = nullptr;
        Room* room = nullptr;
        visualizers::Choice choice{};
        std::optional<std::size_t> gapSet{0};  ///< Results::gapSet()
        QByteArray view{};
        bool operator==(const Place&) const = default;
    };
    void addUndo();
    void noteLater() { rest.start(); }
    void forgetOthers();
    void go(int by);
    [[nodiscard]] Place here() const;
    void updateActions();

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    visualizers::Results& results;
    RoomArea& area;
    QAction* backAction;
    QAction* forwardAction;
    QAction* undoAction;  ///< the same by the key that people expect of it
    QAction* redoAction;
    QTimer rest;
    const etdump::Trace* trace = nullptr;  ///< places are of this one; only compared
    std::vector<Place> places;
    std::size_t at = 0;     ///< the place that is shown
    bool arriving = false;  ///< what changes now is what going there changes
};

}  // namespace et::studio
