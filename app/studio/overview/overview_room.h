#pragma once

#include "app/studio/background.h"
#include "app/studio/room.h"
#include "visualizers/overview/overview.h"

class QTextBrowser;
class QUrl;

namespace et::studio {

/// What is open, whether it belongs together, its key figures, and what to look at first.
class OverviewRoom : public Room {
    Q_OBJECT

  public:
    OverviewRoom(const RoomContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    [[nodiscard]] QString plainText() const;
    [[nodiscard]] bool busy() const { return describing.running(); }

  private:
    void showSession();
    void describe(visualizers::FindingCount count);
    void showOverview(const visualizers::Overview& made);
    void follow(const QUrl& link);
    void copy() const;

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    Background<visualizers::Overview> describing;
    visualizers::Overview overview;
    QTextBrowser* text;
};

}  // namespace et::studio
