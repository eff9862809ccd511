#pragma once

#include "app/studio/dock_shares.h"
#include "app/studio/panels.h"
#include "app/studio/perspectives.h"

#include <QByteArray>
#include <QMainWindow>

#include <map>
#include <set>
#include <string_view>
#include <vector>

class QDockWidget;

namespace et::studio {

/// The panels as dock widgets, arranged by a perspective. Users can move docks, detach them from the window,
/// close and reopen them; each perspective keeps its arrangement.
class PanelArea : public QMainWindow {
    Q_OBJECT

  public:
    /// A panel with its description and dock.
    struct Entry {
        const PanelInfo* info;
        Panel* panel;
        QDockWidget* dock;
        bool inFront = false;  ///< not behind another tab
    };

    PanelArea(const PanelContext& context, QWidget* parent);
    ~PanelArea() override;
    PanelArea(const PanelArea&) = delete;
    PanelArea& operator=(const PanelArea&) = delete;

    [[nodiscard]] const std::vector<Entry>& entries() const { return all; }
    /// The panel that has the focus, or had it last; never null.
    [[nodiscard]] Panel& current() const { return *active; }
    [[nodiscard]] std::string_view currentId() const { return entryOf(*active).info->id; }
    /// Raises a panel and gives it the focus. A panel that is not part of the perspective becomes a tab of
    /// its centre.
    void enter(Panel& panel);
    /// Enters a panel by its id; ignores unknown ids.
    void enter(std::string_view id);
    /// True if the panel is visible to the user.
    [[nodiscard]] bool shows(const Panel& panel) const;
    /// Shows a panel with content for the session, if the current one has none.
    void showContent();
    [[nodiscard]] bool hasContent() const;

    [[nodiscard]] const Perspective& perspective() const { return *plan; }
    void setPerspective(const Perspective& next);
    /// Restores the perspective's initial arrangement.
    void resetLayout();
    /// Toggles maximizing the current panel.
    void setMaximized(bool alone);
    [[nodiscard]] bool maximized() const { return !besideMaximized.isEmpty(); }
    /// The panel of sidePanels() that is shown in the left pane; empty: none.
    [[nodiscard]] std::string_view sidePanel() const;
    /// Shows one of them in the left pane, or folds the pane if it is already shown.
    void toggleSide(std::string_view id);
    /// Folds the left pane, or shows its last panel again.
    void foldSide();
    /// Hides the docks of these panes, or shows them again.
    void fold(const std::vector<PanePlan>& places);

    void saveTo(QSettings& settings) const;
    /// Ignores invalid states.
    void restoreFrom(const QSettings& settings);

  signals:
    void currentChanged();
    void perspectiveChanged();
    /// Panels were shown, hidden or moved.
    void arranged();

  protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    class Rearranging;

    void addPanel(const PanelInfo& info, const PanelContext& context);
    void setActive(Panel& panel);
    void bringForward(Panel& panel);
    void followFocus(const QWidget* now);
    [[nodiscard]] QDockWidget* dockOf(std::string_view id) const;
    [[nodiscard]] const Entry& entryOf(const Panel& panel) const;
    /// Must be called before docks are moved: Qt stores the position of the hovered or dragged separator, and
    /// looks it up later among the changed docks, which may crash.
    void letGoOfSeparator();
    void removeAll();
    void arrangeAnew();
    [[nodiscard]] Panel& mainPanel() const;
    void hideEmptyPanes();
    /// Hides or shows the pane below the centre, depending on the window's height.
    void fitDrawer();
    [[nodiscard]] bool drawerIsAway() const;
    [[nodiscard]] bool isInDrawer(const QDockWidget& dock) const;
    void makeAloneAtSide(const QDockWidget& dock);
    /// Restores the user's arrangement, or the initial one.
    void arrangeAsKept();
    void tellPerspective();
    /// Called after a tab click or a drag has changed the arrangement.
    void settle();
    /// Hides the title bars of tabbed docks, whose tabs show the panel's name.
    void updateTitleBars();
    [[nodiscard]] QByteArray arrangement() const;
    bool restoreArrangement(const QByteArray& bytes);
    /// Resizes the docks to their shares, if pending.
    void giveSizes();
    /// Must be called after the user has moved a dock or a separator.
    void measureSizes();
    [[nodiscard]] DockById finder() const;

    std::vector<Entry> all;
    const Perspective* plan;
    std::map<std::string_view, QByteArray> arrangements;  ///< arrangements of perspectives, by id
    QByteArray besideMaximized;      ///< the arrangement before the current panel was maximized
    std::set<QDockWidget*> emptied;  ///< hidden because they have no content or no space
    std::string_view lastAtSide;     ///< of sidePanels(); shown again on unfolding
    Panel* active = nullptr;
    Panel* entered = nullptr;   ///< to be raised again once the docks are laid out
    bool rearranged = false;    ///< temporarily hidden
    bool drawerWanted = false;  ///< the user has opened the pane that is hidden in a low window
    DockShares shares;          ///< of the current perspective
    bool sizesWanted = false;   ///< docks are placed but not yet sized
    bool laidOut = false;       ///< docks have been placed and sized on screen
};

}  // namespace et::studio
