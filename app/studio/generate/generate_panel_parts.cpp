// Construction of the panel: its commands, the tools of its map, and the layout of the results.
#include "app/studio/generate/generate_panel.h"
#include "app/studio/panel_command.h"
#include "visualizers/generate/generated_text.h"
#include "visualizers/generate/position_map.h"
#include "visualizers/generate/rate_plot.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/splitter.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QToolBar>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace et::studio {

namespace {

/// Row granularity of the map: components of a module's path after its layer; -1: all.
struct Detail {
    int below;
    const char* title;
};
constexpr std::array details{Detail{0, "by layer"}, Detail{1, "by layer component"}, Detail{-1, "by module"}};

}  // namespace

void GeneratePanel::createTools() {
    startAction =
        addCommand(*this, QStringLiteral("&Generate"), QKeySequence(Qt::Key_F9), &GeneratePanel::generate);
    stopAction = addCommand(*this, QStringLiteral("&Stop Generating"),
                            QKeySequence(Qt::CTRL | Qt::Key_Period), &GeneratePanel::stop);
    stopAction->setToolTip(QStringLiteral("Stop, and keep the generated text"));
    addCommand(*this, QStringLiteral("Copy Generated &Text"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
               &GeneratePanel::copyText);
    addCommand(*this, QStringLiteral("Copy Generate Co&mmand"),
               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), &GeneratePanel::copyCommand);
    colourAction = addCommand(*this, QStringLiteral("Colour by &Time"), QKeySequence(Qt::CTRL | Qt::Key_U),
                              &GeneratePanel::switchColour);
    colourAction->setCheckable(true);
    tools->addActions({startAction, stopAction});
    tools->addSeparator();
    tools->addAction(colourAction);
    summary->setObjectName(QStringLiteral("generateSummary"));
    summary->setTextFormat(Qt::PlainText);
    summary->setContentsMargins(8, 0, 8, 0);
    summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void GeneratePanel::createMapTools() {
    depth->setObjectName(QStringLiteral("generateDepth"));
    depth->setAccessibleName(QStringLiteral("Rows of the map"));
    for (const Detail& each : details) {
        depth->addItem(QString::fromUtf8(each.title), each.below);
    }
    connect(depth, &QComboBox::currentIndexChanged, this, &GeneratePanel::sumUp);
    mapTools->addWidget(depth);
    QAction* const each =
        visualizers::keyedToggle(*this, QStringLiteral("Scale Colours per &Row"), QKeySequence(), false,
                                 [this](bool on) { heat->setByRow(on); });
    each->setToolTip(
        QStringLiteral("Each row has its own colour scale, which shows growth with the position"));
    mapTools->addAction(each);
}

QWidget* GeneratePanel::createResults() {
    const auto column = [this] {
        auto* const widget = new QWidget(this);
        auto* const layout = new QVBoxLayout(widget);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        return std::pair(widget, layout);
    };
    const auto [top, topLayout] = column();
    words->setObjectName(QStringLiteral("generatedText"));
    known->setObjectName(QStringLiteral("generatedToken"));
    known->setTextFormat(Qt::PlainText);
    known->setMargin(4);
    known->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    topLayout->addWidget(words, 1);
    topLayout->addWidget(known);
    const auto [bottom, bottomLayout] = column();
    auto* const scrolled = new QScrollArea(this);
    scrolled->setWidget(heat);
    scrolled->setWidgetResizable(true);
    scrolled->setFrameShape(QFrame::NoFrame);
    bottomLayout->addWidget(mapTools);
    bottomLayout->addWidget(scrolled, 1);
    down->addWidget(top);
    down->addWidget(speed);
    down->addWidget(bottom);
    down->setStretchFactor(0, 4);
    down->setStretchFactor(1, 2);
    down->setStretchFactor(2, 4);
    down->setChildrenCollapsible(false);
    return down;
}

}  // namespace et::studio
