#include "app/studio/source/mapping_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace et::studio {

namespace {

constexpr QSize firstSize{620, 280};

}  // namespace

MappingDialog::MappingDialog(const std::vector<inspector::PathMapping>& mappings, QWidget* parent)
    : QDialog(parent), rows(new QTableWidget(0, 2, this)) {
    setWindowTitle(QStringLiteral("Path Mappings"));
    resize(firstSize);
    auto* const text = new QLabel(
        QStringLiteral(
            "Source paths refer to the machine that exported the model. Map its folders to local folders:"),
        this);
    text->setWordWrap(true);
    rows->setObjectName(QStringLiteral("mappings"));
    rows->setHorizontalHeaderLabels({QStringLiteral("Exported path"), QStringLiteral("Local path")});
    rows->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    rows->verticalHeader()->hide();
    for (const inspector::PathMapping& each : mappings) {
        addRow(each);
    }
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    QPushButton* const add = buttons->addButton(QStringLiteral("&Add"), QDialogButtonBox::ActionRole);
    QPushButton* const removed = buttons->addButton(QStringLiteral("&Remove"), QDialogButtonBox::ActionRole);
    connect(add, &QPushButton::clicked, this, [this] {
        addRow({});
        rows->editItem(rows->item(rows->rowCount() - 1, 0));
    });
    connect(removed, &QPushButton::clicked, this, [this] { rows->removeRow(rows->currentRow()); });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* const layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(rows, 1);
    layout->addWidget(buttons);
}

void MappingDialog::addRow(const inspector::PathMapping& mapping) {
    const int row = rows->rowCount();
    rows->insertRow(row);
    rows->setItem(row, 0, new QTableWidgetItem(QString::fromStdString(mapping.from)));
    rows->setItem(row, 1, new QTableWidgetItem(QString::fromStdString(mapping.to)));
}

std::vector<inspector::PathMapping> MappingDialog::mappings() const {
    std::vector<inspector::PathMapping> out;
    for (int row = 0; row < rows->rowCount(); ++row) {
        inspector::PathMapping mapping{.from = rows->item(row, 0)->text().toStdString(),
                                       .to = rows->item(row, 1)->text().toStdString()};
        if (!mapping.from.empty() && !mapping.to.empty()) {
            out.push_back(std::move(mapping));
        }
    }
    return out;
}

}  // namespace et::studio
