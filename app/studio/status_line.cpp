#include "app/studio/status_line.h"

#include <QAction>
#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

namespace et::studio {

namespace {

constexpr int statusProgressWidth = 120;

}  // namespace

StatusLine::StatusLine(QMainWindow& window)
    : QObject(&window),
      figures(new QLabel(&window)),
      progress(new QProgressBar(&window)),
      cancel(new QAction(QStringLiteral("Cancel Loading"), &window)) {
    figures->setObjectName(QStringLiteral("figures"));
    figures->setTextFormat(Qt::PlainText);
    progress->setRange(0, 0);
    progress->setMaximumWidth(statusProgressWidth);
    cancel->setShortcut(Qt::Key_Escape);
    auto* const button = new QToolButton(&window);
    button->setDefaultAction(cancel);
    QStatusBar* const bar = window.statusBar();
    bar->addWidget(figures, 1);
    bar->addPermanentWidget(progress);
    bar->addPermanentWidget(button);
    connect(cancel, &QAction::enabledChanged, button, &QWidget::setVisible);
}

void StatusLine::setFigures(const QString& text) {
    figures->setText(text);
}

void StatusLine::setBusy(bool busy) {
    progress->setVisible(busy);
    cancel->setEnabled(busy);
    figures->setEnabled(!busy);
}

}  // namespace et::studio
