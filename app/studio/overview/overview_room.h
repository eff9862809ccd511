#pragma once

#include "app/studio/background.h"
#include "app/studio/room.h"

class QTextBrowser;

namespace et::studio {

/// What is open, whether it belongs together, and its key figures.
class OverviewRoom : public Room {
    Q_OBJECT

  public:
    OverviewRoom(const RoomContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    [[nodiscard]] QString plainText() const;
    [[nodiscard]] bool busy() const { return describing.running(); }

  private:
    void showSession();

    visualizers::Selection& chosen;
    Background<QString> describing;
    QTextBrowser* text;
};

}  // namespace et::studio
