#pragma once

#include "app/studio/rooms.h"

#include <QMainWindow>

#include <vector>

class QDockWidget;

namespace et::studio {

/// The rooms as dock widgets: tabs at first; a person can drag them beside one another or out of the window.
class RoomArea : public QMainWindow {
    Q_OBJECT

  public:
    /// A room, what it is, and its dock.
    struct Entry {
        const RoomInfo* info;
        Room* room;
        QDockWidget* dock;
        bool inFront = false;  ///< not behind another tab
    };

    RoomArea(const RoomContext& context, QWidget* parent);
    ~RoomArea() override;
    RoomArea(const RoomArea&) = delete;
    RoomArea& operator=(const RoomArea&) = delete;

    [[nodiscard]] const std::vector<Entry>& entries() const { return all; }
    /// The room that has, or had last, the focus; never null.
    [[nodiscard]] Room& current() const { return *active; }
    /// Brings a room to the front and gives it the focus.
    void enter(Room& room);
    /// Shows a room that has something to show of the session, if the current one has not.
    void showContent();
    /// All rooms as tabs, as at first.
    void resetLayout();
    [[nodiscard]] bool hasContent() const;

    void saveTo(QSettings& settings) const;
    /// What is no state of ours is ignored.
    void restoreFrom(const QSettings& settings);

  signals:
    void currentChanged();

  private:
    void addRoom(const RoomInfo& info, const RoomContext& context);
    void setActive(Room& room);
    void bringForward(Room& room);
    void followFocus(const QWidget* now);
    /// After the arrangement has changed, by a click on a tab or by dragging.
    void settle();
    /// A tab says a room's name already: title bars are for rooms that stand alone.
    void updateTitleBars();

    std::vector<Entry> all;
    Room* active = nullptr;
    Room* entered = nullptr;  ///< to be brought forward once more when the docks have their places
};

}  // namespace et::studio
