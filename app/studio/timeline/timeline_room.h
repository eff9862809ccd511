#pragma once

#include "app/studio/background.h"
#include "app/studio/room.h"
#include "visualizers/timeline/timeline.h"

#include <QByteArray>

#include <filesystem>
#include <memory>

class QComboBox;
class QLabel;
class QLineEdit;

namespace et::visualizers {
class TimelineWidget;
}

namespace et::studio {

/// The events of the trace over its clock, a second trace below, with a search above and what a measured
/// stretch holds below.
class TimelineRoom : public Room {
    Q_OBJECT

  public:
    TimelineRoom(const RoomContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    void find() override;
    [[nodiscard]] QByteArray viewState() const override;
    void restoreView(const QByteArray& state) override;

    [[nodiscard]] visualizers::TimelineWidget& view() { return *widget; }
    [[nodiscard]] bool busy() const { return building.running() || buildingOther.running(); }

  private:
    using Built = std::shared_ptr<const visualizers::Timeline>;
    void createTools();
    void showSession();
    void keepView();
    void listOthers();
    void showOther();
    void showMatches();

    const visualizers::OpenSession& opened;
    Background<Built> building;
    Background<Built> buildingOther;
    std::shared_ptr<const inspector::EventBlocks> shown;  ///< what `building` builds or built
    std::filesystem::path file;                           ///< of `shown`
    QByteArray kept;  ///< viewState() to come back to when the file has been read again; empty: all of it
    QLineEdit* search;
    QLabel* matches;
    QComboBox* others;
    QAction* othersAction = nullptr;
    visualizers::TimelineWidget* widget;
    QLabel* measurement;
};

}  // namespace et::studio
