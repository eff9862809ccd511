#pragma once

#include "app/studio/dock_shares.h"
#include "app/studio/perspectives.h"
#include "app/studio/rooms.h"

#include <QByteArray>
#include <QMainWindow>

#include <map>
#include <set>
#include <string_view>
#include <vector>

class QDockWidget;

namespace et::studio {

/// The rooms as dock widgets, arranged by a perspective. A person can drag them beside one another or out of
/// the window, close and reopen them; each perspective keeps what they made of it.
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
    [[nodiscard]] std::string_view currentId() const { return entryOf(*active).info->id; }
    /// Brings a room to the front and gives it the focus. One that the perspective does not have becomes a
    /// tab of its centre.
    void enter(Room& room);
    /// The same by its id; nothing where there is none.
    void enter(std::string_view id);
    /// Whether a person can see it.
    [[nodiscard]] bool shows(const Room& room) const;
    /// Shows a room that has something to show of the session, if the current one has not.
    void showContent();
    [[nodiscard]] bool hasContent() const;

    [[nodiscard]] const Perspective& perspective() const { return *plan; }
    void setPerspective(const Perspective& next);
    /// The perspective as it was at first.
    void resetLayout();
    /// The current room alone; again: all of them.
    void setMaximized(bool alone);
    [[nodiscard]] bool maximized() const { return !besideMaximized.isEmpty(); }
    /// The room of sideRooms() that stands at the left; empty: none does.
    [[nodiscard]] std::string_view sideRoom() const;
    /// Shows one of them instead of what stands there, or folds the place when it is this one.
    void toggleSide(std::string_view id);
    /// Folds the left place, or shows again what stood there.
    void foldSide();
    /// Hides what stands in these places, or shows it again.
    void fold(const std::vector<PanePlan>& places);

    void saveTo(QSettings& settings) const;
    /// What is no state of ours is ignored.
    void restoreFrom(const QSettings& settings);

  signals:
    void currentChanged();
    void perspectiveChanged();
    /// Rooms came, went or moved.
    void arranged();

  protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    class Rearranging;

    void addRoom(const RoomInfo& info, const RoomContext& context);
    void setActive(Room& room);
    void bringForward(Room& room);
    void followFocus(const QWidget* now);
    [[nodiscard]] QDockWidget* dockOf(std::string_view id) const;
    [[nodiscard]] const Entry& entryOf(const Room& room) const;
    /// To be called before docks change places: Qt keeps the place of the separator that the pointer is over,
    /// or drags, and looks it up among the docks of then, which may end the program.
    void letGoOfSeparator();
    void removeAll();
    void arrangeAnew();
    [[nodiscard]] Room& mainRoom() const;
    void hideEmptyPanes();
    /// Hides or shows the pane below the centre, as the window's height has become.
    void fitDrawer();
    [[nodiscard]] bool drawerIsAway() const;
    [[nodiscard]] bool isInDrawer(const QDockWidget& dock) const;
    void makeAloneAtSide(const QDockWidget& dock);
    /// As a person left it, else anew.
    void arrangeAsKept();
    void tellPerspective();
    /// After the arrangement has changed, by a click on a tab or by dragging.
    void settle();
    /// A tab says a room's name already: title bars are for rooms that stand alone.
    void updateTitleBars();
    [[nodiscard]] QByteArray arrangement() const;
    bool restoreArrangement(const QByteArray& bytes);
    /// Resizes the docks to their shares, if that is to be done.
    void giveSizes();
    /// To be called after a person has moved a dock or a separator.
    void measureSizes();
    [[nodiscard]] DockById finder() const;

    std::vector<Entry> all;
    const Perspective* plan;
    std::map<std::string_view, QByteArray> arrangements;  ///< what became of perspectives, by id
    QByteArray besideMaximized;                           ///< the arrangement around a room that is alone now
    std::set<QDockWidget*> emptied;  ///< hidden, as they have nothing to show, or no room for it
    std::string_view lastAtSide;     ///< of sideRooms(); comes again when it is unfolded
    Room* active = nullptr;
    Room* entered = nullptr;    ///< to be brought forward once more when the docks have their places
    bool rearranged = false;    ///< hidden for that moment only
    bool drawerWanted = false;  ///< a person has asked for the pane that is away in a low window
    DockShares shares;          ///< of the docks of the current perspective
    bool sizesWanted = false;   ///< the docks have their places, but not their sizes yet
    bool laidOut = false;       ///< the docks have had their places and sizes on screen
};

}  // namespace et::studio
