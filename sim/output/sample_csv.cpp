// SPDX-License-Identifier: Apache-2.0
#include "sim/output/sample_csv.hpp"

#include "sim/output/csv.hpp"
#include "sim/output/number.hpp"

#include <algorithm>
#include <string>

namespace idlesim {

SampleCsv::SampleCsv(const std::filesystem::path& path,
                     const std::vector<const SampleTable*>& tables)
    : file_{path} {
    const SampleTable& first = *tables.front();
    step_picoseconds_.resize(first.steps().size());
    std::string header = "replication,time_us,cpu," + csv_cell(first.metric() + "_ns");
    for (std::size_t step = 0; step < first.steps().size(); ++step) {
        const auto has_step = [step](const SampleTable* table) { return table->has_step(step); };
        if (std::any_of(tables.begin(), tables.end(), has_step)) {
            columns_.push_back(static_cast<std::uint16_t>(step));
            header += ',' + csv_cell(first.steps()[step] + "_ns");
        }
    }
    file_.write(header + '\n');
}

char* SampleCsv::write_row(char* out, int replication, const SampleRow& row) {
    for (const PackedPart& part : row.parts) {
        step_picoseconds_[part.step()] = part.duration().count();
    }
    out = write_integer(out, replication);
    *out++ = ',';
    out = write_us(out, row.at.time_since_epoch().count());
    *out++ = ',';
    out = write_integer(out, row.cpu);
    *out++ = ',';
    out = write_ns(out, row.value.count());
    for (const std::uint16_t step : columns_) {
        *out++ = ',';
        out = write_ns(out, step_picoseconds_[step]);
    }
    *out++ = '\n';
    for (const PackedPart& part : row.parts) {
        step_picoseconds_[part.step()] = 0;
    }
    return out;
}

void SampleCsv::add(int replication, const SampleTable& table) {
    const std::size_t longest_row = (columns_.size() + 5) * (kLongestDecimal + 1);
    std::string text((std::size_t{1} << 16U) + longest_row, '\0');
    const char* const full = text.data() + text.size() - longest_row;
    char* out = text.data();
    for (std::int64_t i = 0; i < table.row_count(); ++i) {
        out = write_row(out, replication, table.row(i));
        if (out >= full) {
            file_.write({text.data(), static_cast<std::size_t>(out - text.data())});
            out = text.data();
        }
    }
    file_.write({text.data(), static_cast<std::size_t>(out - text.data())});
}

}  // namespace idlesim
