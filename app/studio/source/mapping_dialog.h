#pragma once

#include "inspector/source/source_files.h"

#include <QDialog>

#include <vector>

class QTableWidget;

namespace et::studio {

/// Dialog for editing the path mappings.
class MappingDialog : public QDialog {
    Q_OBJECT

  public:
    explicit MappingDialog(const std::vector<inspector::PathMapping>& mappings, QWidget* parent = nullptr);

    /// The mappings with both sides filled in.
    [[nodiscard]] std::vector<inspector::PathMapping> mappings() const;
    [[nodiscard]] QTableWidget& table() { return *rows; }

  private:
    void addRow(const inspector::PathMapping& mapping);

    QTableWidget* rows;
};

}  // namespace et::studio
