#pragma once

#include "app/studio/background.h"
#include "app/studio/room.h"
#include "visualizers/timeline/timeline.h"
#include "visualizers/timeline/timeline_memory.h"

#include <QByteArray>
#include <QTimer>

#include <filesystem>
#include <memory>

class QComboBox;
class QLabel;
class QLineEdit;

namespace et::visualizers {
class StretchPane;
class TimelineWidget;
class TimeSumTable;
}  // namespace et::visualizers

namespace et::studio {

/// The events of the trace over its clock with the plan's memory below, then the typical run or a second
/// trace; what is searched in a list beside it, and what a measured stretch went to below.
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
    using BuiltMemory = std::shared_ptr<const visualizers::TimelineMemory>;
    struct Whole {
        Built timeline;
        BuiltMemory memory;
    };
    void createTools();
    void createPanes();
    void showBuilt(const Whole& built);
    void showTypical();
    void showStretch();
    void showSession();
    void keepView();
    void listOthers();
    void showOther();
    void showMatches();

    const visualizers::OpenSession& opened;
    Background<Whole> building;
    Background<Built> buildingOther;
    std::shared_ptr<const inspector::EventBlocks> shown;  ///< what `building` builds or built
    std::filesystem::path file;                           ///< of `shown`
    QByteArray kept;         ///< viewState() to come back to when the file has been read again; empty: none
    bool keptWhole = false;  ///< all of it was on screen
    Built built;             ///< the trace itself; null while it is built
    QLineEdit* search;
    QLabel* matches;
    QComboBox* others;
    QAction* othersAction = nullptr;
    visualizers::TimelineWidget* widget;
    visualizers::TimeSumTable* found;
    visualizers::StretchPane* stretch;
    QTimer stretchTimer;
    QLabel* measurement;
};

}  // namespace et::studio
