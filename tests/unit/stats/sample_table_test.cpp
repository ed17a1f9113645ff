// SPDX-License-Identifier: Apache-2.0
#include "sim/stats/sample_table.hpp"

#include "tests/catch.hpp"

#include <array>

using idlesim::Duration;
using idlesim::SampleRow;
using idlesim::SampleTable;
using idlesim::StepPart;
using idlesim::Time;

namespace {

SampleTable table_of(std::int64_t samples, std::int64_t row_limit) {
    SampleTable table{"wake_latency", {"send", "exit"}, row_limit};
    for (std::int64_t i = 0; i < samples; ++i) {
        const std::array<StepPart, 2> parts{{{0, Duration{i}}, {1, Duration{i % 2 == 0 ? 5 : 0}}}};
        table.record(Time{Duration{100 * i}}, 3, parts[0].duration + parts[1].duration, parts);
    }
    return table;
}

}  // namespace

TEST_CASE("without a limit every sample has a row", "[stats]") {
    const SampleTable table = table_of(10000, 0);
    REQUIRE(table.row_count() == 10000);
    REQUIRE(table.row_stride() == 1);
    const SampleRow row = table.row(9998);
    REQUIRE(row.at == Time{Duration{999800}});
    REQUIRE(row.cpu == 3);
    REQUIRE(row.value == Duration{9998 + 5});
    REQUIRE(row.parts.size() == 2);
    REQUIRE(row.parts[0].duration() + row.parts[1].duration() == row.value);
}

TEST_CASE("a limit is never passed and rows stay evenly spread", "[stats]") {
    for (const std::int64_t limit : {1, 2, 3, 7, 64, 100, 5000}) {
        for (const std::int64_t samples : {0, 1, 2, 5, 99, 100, 101, 9001}) {
            const SampleTable table = table_of(samples, limit);
            REQUIRE(table.count() == samples);
            REQUIRE(table.row_count() <= limit);
            const std::int64_t stride = table.row_stride();
            REQUIRE(table.row_count() == (samples + stride - 1) / stride);
            for (std::int64_t i = 0; i < table.row_count(); ++i) {
                REQUIRE(table.row(i).at == Time{Duration{100 * i * stride}});
            }
        }
    }
}

TEST_CASE("as many samples as the limit keep all their rows", "[stats]") {
    REQUIRE(table_of(10000, 10000).row_stride() == 1);
    REQUIRE(table_of(10001, 10000).row_stride() == 2);
}

TEST_CASE("rows can be thinned to a common stride", "[stats]") {
    SampleTable table = table_of(10, 0);
    table.thin_rows(4);
    REQUIRE(table.row_count() == 3);
    REQUIRE(table.row(2).at == Time{Duration{800}});
    table.thin_rows(2);
    REQUIRE(table.row_stride() == 4);
}

TEST_CASE("absent steps count as zero in the step's distribution", "[stats]") {
    const SampleTable table = table_of(100, 1);
    REQUIRE(table.step_histogram(1).count() == 100);
    REQUIRE(table.step_histogram(1).sum() == 250);
    REQUIRE(table.step_histogram(1).quantile(0.25) == 0.0);
    REQUIRE(table.values().size() == 100);
}
