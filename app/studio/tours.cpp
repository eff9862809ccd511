#include "app/studio/tours.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace et::studio {

namespace {

std::vector<Tour> makeTours() {
    return {
        {"Where does the time go?",
         {{"overview",
           "The bar splits the time of a run by component; the cards list the "
           "top findings, each with a button that opens the relevant panel."},
          {"time",
           "The timeline shows every run, the table below the same events sorted "
           "by time. Click one: the inspector on the right shows its details."},
          {"time",
           "The Source tab shows the Python lines with the time of each. Now try "
           "your own model: record a trace, and drop it here."}}},
        {"Is the output right, and where does it go wrong?",
         {{"numbers",
           "F9 compares every operator with the exported graph; the "
           "first one that diverges is marked with a ring."},
          {"numbers",
           "The Verify tab runs the cases of a bundled program (F9), and shows "
           "expected and actual values next to each other."},
          {"numbers", "Now try your own model: open its program with its ETRecord, or a bundled program."}}},
        {"What uses the memory?",
         {{"memory",
           "Tensors are rectangles: instructions across, offsets up. The line "
           "above shows live memory; the table lists the tensors at the peak."},
          {"run",
           "F9 runs the program here and measures its actual memory, including "
           "weights and workspaces of delegates."},
          {"memory", "Now try your own model: its program (.pte) is enough."}}},
    };
}

}  // namespace

std::span<const Tour> tours() {
    static const std::vector<Tour> all = makeTours();
    return all;
}

QString Tour::titleText() const {
    return QString::fromUtf8(title);
}

TourBar::TourBar(std::function<void(std::string_view)> go, QWidget* parent)
    : QFrame(parent),
      show(std::move(go)),
      text(new QLabel(this)),
      back(new QPushButton(QStringLiteral("Back"), this)),
      next(new QPushButton(this)) {
    setObjectName(QStringLiteral("tour"));
    setFrameShape(QFrame::StyledPanel);
    text->setWordWrap(true);
    text->setTextFormat(Qt::PlainText);
    auto* const end = new QPushButton(QStringLiteral("End Tour"), this);
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
    text->setText(QStringLiteral("%1 of %2: %3")
                      .arg(at + 1)
                      .arg(current->steps.size())
                      .arg(QString::fromUtf8(current->steps[at].text)));
    back->setEnabled(at > 0);
    next->setText(at + 1 == current->steps.size() ? QStringLiteral("Done") : QStringLiteral("Next"));
    show(current->steps[at].perspective);
}

}  // namespace et::studio
