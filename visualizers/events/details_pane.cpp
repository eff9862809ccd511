#include "visualizers/events/details_pane.h"

#include "visualizers/events/event_description.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/histogram_widget.h"
#include "visualizers/toolkit/text.h"

#include <QTextBrowser>
#include <QVBoxLayout>

namespace et::visualizers {

namespace {

const QString textStyle = QStringLiteral(
    "h3 { margin-top: 2px; margin-bottom: 2px; } h4 { margin-top: 10px; margin-bottom: 2px; }"
    "p { margin-top: 0px; margin-bottom: 4px; } pre { margin-top: 0px; margin-bottom: 6px; }");

}  // namespace

DetailsPane::DetailsPane(const OpenSession& session, const Selection& selection, QWidget* parent)
    : QWidget(parent),
      opened(session),
      chosen(selection),
      distribution(new HistogramWidget(this)),
      text(new QTextBrowser(this)) {
    text->setObjectName(QStringLiteral("details"));
    text->setOpenLinks(false);
    text->setFrameShape(QFrame::NoFrame);
    text->document()->setDefaultStyleSheet(textStyle);
    text->setPlaceholderText(tr("Select an event to see its operators, source lines and samples."));
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(distribution);
    layout->addWidget(text, 1);
    connect(&chosen, &Selection::currentChanged, this, &DetailsPane::showCurrent);
    showCurrent();
}

QString DetailsPane::plainText() const {
    return text->toPlainText();
}

void DetailsPane::showCurrent() {
    const inspector::EventBlocks* const blocks = opened.blocks();
    distribution->show(chosen.currentEvent(),
                       blocks ? blocks->options().target : inspector::TimeScale::Nanoseconds);
    text->setHtml(chosen.current() ? toHtml(describeEvent(*blocks, *chosen.current())) : QString());
}

}  // namespace et::visualizers
