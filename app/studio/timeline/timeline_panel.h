#pragma once

#include "app/studio/background.h"
#include "app/studio/panel.h"
#include "visualizers/timeline/timeline.h"
#include "visualizers/timeline/timeline_counters.h"
#include "visualizers/timeline/timeline_memory.h"

#include <QByteArray>
#include <QList>

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;

namespace et::visualizers {
class TimelineWidget;
class TimeSumTable;
class Skeleton;
class TimelineFlows;
}  // namespace et::visualizers

namespace et::studio {

/// Panel of the trace's events on a time axis, with the planned memory below, then the typical run or a
/// second trace; search results in a list next to it.
class TimelinePanel : public Panel {
    Q_OBJECT

  public:
    TimelinePanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
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
        std::vector<visualizers::TimelineCounter> counters;
        std::shared_ptr<const visualizers::TimelineFlows> flows;
    };
    void createTools();
    void createPanes();
    void showBuilt(const Whole& built);
    void showTypical();
    void showSession();
    void keepView();
    void listOthers();
    void createCommands();
    void addPanelAction(const QString& text, const QKeySequence& key, const char* panel);
    void showMenu(const QPoint& at);
    void showPins();
    void showDebugger();
    void pin();
    void showOther();
    void showMatches();

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    visualizers::Results& results;
    visualizers::NoteModel& notes;
    const visualizers::DebugState& debugger;
    std::function<void(std::string_view)> enterPanel;
    QAction* pinAction = nullptr;
    QAction* extractAction = nullptr;
    QList<QAction*> ways;  ///< commands that open other panels for the selected event
    Background<Whole> building;
    Background<Built> buildingOther;
    std::shared_ptr<const inspector::EventBlocks> shown;  ///< source of `building`
    std::filesystem::path file;                           ///< of `shown`
    QByteArray kept;         ///< viewState() to restore after a reload; empty: none
    bool keptWhole = false;  ///< the whole trace was visible
    Built built;             ///< timeline of the trace; null until built
    QLineEdit* search;
    QLabel* matches;
    QComboBox* others;
    QAction* othersAction = nullptr;
    visualizers::TimelineWidget* widget;
    visualizers::TimeSumTable* found;
    QLabel* measurement;
    QLabel* hint;
    visualizers::Skeleton* skeleton;  ///< placeholder until there is content
};

}  // namespace et::studio
