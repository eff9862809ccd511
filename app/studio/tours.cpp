#include "app/studio/tours.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace et::studio {

namespace {

std::vector<Tour> makeTours() {
    return {
        {QT_TRANSLATE_NOOP("tours", "Where does the time go?"),
         {{"overview", QT_TRANSLATE_NOOP("tours",
                                         "The bar splits a run by who takes its time; the cards say what "
                                         "to look at first, each with a button that leads there.")},
          {"time", QT_TRANSLATE_NOOP("tours",
                                     "The timeline shows every run, the table below the same events by "
                                     "time. Click one: the inspector on the right tells all about it.")},
          {"time", QT_TRANSLATE_NOOP("tours",
                                     "The tab Source has the Python lines with the time of each. Now your "
                                     "own model: record a trace, and drop it here.")}}},
        {QT_TRANSLATE_NOOP("tours", "Is the output right, and where does it go wrong?"),
         {{"numbers", QT_TRANSLATE_NOOP("tours",
                                        "F9 in Gap compares every operator with the exported graph; the "
                                        "first one that diverges gets a ring.")},
          {"numbers", QT_TRANSLATE_NOOP("tours",
                                        "The tab Tests runs the cases of a bundled program (F9), and shows "
                                        "expected and actual values beside each other.")},
          {"numbers", QT_TRANSLATE_NOOP("tours",
                                        "Now your own model: open its program with its ETRecord, or a "
                                        "bundled program.")}}},
        {QT_TRANSLATE_NOOP("tours", "What takes the memory?"),
         {{"memory", QT_TRANSLATE_NOOP("tours",
                                       "Tensors are rectangles: instructions across, offsets up. The line "
                                       "above is what is alive; the table has the tensors at the peak.")},
          {"run", QT_TRANSLATE_NOOP("tours",
                                    "F9 runs the program here and measures what it takes in fact, weights "
                                    "and workspaces of delegates with it.")},
          {"memory", QT_TRANSLATE_NOOP("tours", "Now your own model: its program (.pte) is enough.")}}},
    };
}

}  // namespace

std::span<const Tour> tours() {
    static const std::vector<Tour> all = makeTours();
    return all;
}

QString Tour::titleText() const {
    return QCoreApplication::translate("tours", title);
}

TourBar::TourBar(std::function<void(std::string_view)> go, QWidget* parent)
    : QFrame(parent),
      show(std::move(go)),
      text(new QLabel(this)),
      back(new QPushButton(tr("Back"), this)),
      next(new QPushButton(this)) {
    setObjectName(QStringLiteral("tour"));
    setFrameShape(QFrame::StyledPanel);
    text->setWordWrap(true);
    text->setTextFormat(Qt::PlainText);
    auto* const end = new QPushButton(tr("End Tour"), this);
    auto* const layout = new QHBoxLayout(this);
    layout->addWidget(text, 1);
    layout->addWidget(back);
    layout->addWidget(next);
    layout->addWidget(end);
    connect(back, &QPushButton::clicked, this, [this] { step(-1); });
    connect(next, &QPushButton::clicked, this, [this] { step(1); });
    connect(end, &QPushButton::clicked, this, &TourBar::stop);
    stop();
}

void TourBar::start(std::size_t tour) {
    if (tour < tours().size()) {
        current = &tours()[tour];
        at = 0;
        setVisible(true);
        step(0);
    }
}

void TourBar::stop() {
    current = nullptr;
    setVisible(false);
}

void TourBar::step(int by) {
    if (current == nullptr) {
        return;
    }
    const auto to = static_cast<std::ptrdiff_t>(at) + by;
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(current->steps.size())) {
        stop();
        return;
    }
    at = static_cast<std::size_t>(to);
    text->setText(tr("%1 of %2: %3")
                      .arg(at + 1)
                      .arg(current->steps.size())
                      .arg(QCoreApplication::translate("tours", current->steps[at].text)));
    back->setEnabled(at > 0);
    next->setText(at + 1 == current->steps.size() ? tr("Done") : tr("Next"));
    show(current->steps[at].perspective);
}

}  // namespace et::studio
