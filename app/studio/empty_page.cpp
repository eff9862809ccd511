#include "app/studio/empty_page.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace et::studio {

namespace {

constexpr int iconSide = 96;
constexpr double titleScale = 1.5;

}  // namespace

EmptyPage::EmptyPage(QWidget* parent) : QWidget(parent), title(new QLabel(this)), text(new QLabel(this)) {
    auto* const icon = new QLabel(this);
    icon->setPixmap(QApplication::windowIcon().pixmap(iconSide));
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * titleScale);
    title->setFont(large);
    text->setTextFormat(Qt::PlainText);
    auto* const button = new QPushButton(tr("Open…"), this);
    connect(button, &QPushButton::clicked, this, &EmptyPage::openRequested);

    auto* const layout = new QVBoxLayout(this);
    layout->addStretch();
    for (QLabel* const label : {icon, title, text}) {
        label->setAlignment(Qt::AlignCenter);
        layout->addWidget(label);
    }
    layout->addWidget(button, 0, Qt::AlignCenter);
    layout->addStretch();
    setRecordOnly(false);
}

void EmptyPage::setRecordOnly(bool recordOnly) {
    title->setText(recordOnly ? tr("This record has no trace yet") : tr("Drop a .etdp here, or File > Open"));
    text->setText(
        recordOnly
            ? tr("Drop the trace (.etdp) of a run of this model: the table needs both.")
            : tr("A trace (.etdp) shows where the time goes. With the model's ETRecord beside it, every row\n"
                 "names its operators, modules and Python lines. Drop both at once, in any order."));
}

}  // namespace et::studio
