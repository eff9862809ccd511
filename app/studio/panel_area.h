#pragma once

#include "app/studio/dock_sizes.h"
#include "app/studio/hidden_docks.h"
#include "app/studio/panel_docks.h"
#include "app/studio/panels.h"
#include "app/studio/perspectives.h"
#include "app/studio/side_pane.h"

#include <QByteArray>
#include <QMainWindow>

#include <map>
#include <string_view>
#include <vector>

class QDockWidget;

namespace et::studio {

/// The panels as dock widgets, arranged by a perspective. Users can move docks, detach them from the window,
/// close and reopen them; each perspective keeps its arrangement.
class PanelArea : public QMainWindow {
    Q_OBJECT

  public:
    using Entry = PanelDock;

    PanelArea(const PanelContext& context, QWidget* parent);
    ~PanelArea() override;
    PanelArea(const PanelArea&) = delete;
    PanelArea& operator=(const PanelArea&) = delete;

    [[nodiscard]] const std::vector<Entry>& entries() const { return docks.all(); }
    /// The panel that has the focus, or had it last; never null.
    [[nodiscard]] Panel& current() const { return *active; }
    [[nodiscard]] std::string_view currentId() const { return docks.of(*active).info->id; }
    /// Raises a panel and gives it the focus. A panel that is not part of the perspective becomes a tab of
    /// its centre.
    void enter(Panel& panel);
    /// Enters a panel by its id; ignores unknown ids.
    void enter(std::string_view id);
    /// Brings a panel to the front of its tabs, without the focus, if its pane is part of the perspective and
    /// visible.
    void bringToFront(Panel& panel);
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
    [[nodiscard]] SidePane& side() { return sidePane; }
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
    /// Must be called before docks are moved: Qt stores the position of the hovered or dragged separator, and
    /// looks it up later among the changed docks, which may crash.
    void releaseSeparator();
    void removeAll();
    void rearrange();
    /// Restores the user's arrangement, or the initial one.
    void arrangeAsKept();
    void notifyPerspective();
    /// Called after a tab click or a drag has changed the arrangement.
    void settle();
    [[nodiscard]] QByteArray arrangement() const;
    bool restoreArrangement(const QByteArray& bytes);
    /// Resizes the docks to their shares, if pending.
    void applySizes();
    /// Must be called after the user has moved a dock or a separator.
    void measureSizes();

    PanelDocks docks;
    DockSizes sizes;
    HiddenDocks hidden;
    SidePane sidePane;
    const Perspective* plan;
    std::map<std::string_view, QByteArray> arrangements;  ///< arrangements of perspectives, by id
    QByteArray besideMaximized;  ///< the arrangement before the current panel was maximized
    Panel* active = nullptr;
    Panel* entered = nullptr;  ///< to be raised again once the docks are laid out
    bool laidOut = false;      ///< docks have been placed and sized on screen
};

}  // namespace et::studio
